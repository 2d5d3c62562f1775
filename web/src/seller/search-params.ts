import type { ChargePageKind } from "@tilinta/contract/vocabulary/charge-pages"
import { idOf, oneOf, pageOf, periodOf, type SearchOf, searchOf, textOf } from "#ui/list-search.ts"

/** Single charges are a shop's, by the thousand: they are listed when they are asked for, and found by every search. */
const listedKinds = ["all", "single"] as const

export const chargePageListSearch = searchOf(
  { page: pageOf, status: textOf, search: textOf, kind: oneOf(listedKinds) },
  periodOf,
)
type ChargePageListSearch = SearchOf<typeof chargePageListSearch>

/** The API's filter; undefined is both kinds. */
export function kindFilter({
  kind,
  search,
}: Pick<ChargePageListSearch, "kind" | "search">): ChargePageKind | undefined {
  if (kind === "single") return kind
  return kind === "all" || search !== undefined ? undefined : "page"
}

/** `from` is the charge page to start from. */
export const createChargePageSearch = searchOf({ from: textOf })

/** The list with an invoice open next to it, maybe of one customer; also whom a new invoice is for. */
export const receivablesSearch = searchOf(
  { page: pageOf, status: textOf, search: textOf, invoice: idOf, customer: idOf },
  periodOf,
)

export const statementSearch = searchOf({ month: monthOf, transaction: idOf, withdrawal: idOf })

/** São Paulo calendar month, `YYYY-MM`; without it the present one. */
function monthOf(value: unknown): string | undefined {
  return typeof value === "string" && /^20\d\d-(0[1-9]|1[0-2])$/.test(value) ? value : undefined
}

/** `transaction` is open next to the list, which may be that of one charge page. */
export const transactionsSearch = searchOf(
  { page: pageOf, status: textOf, search: textOf, transaction: idOf, checkoutPage: idOf },
  periodOf,
)

/** `withdrawal` is the one whose steps are open, `request` says whether the form is. */
export const withdrawalsSearch = searchOf(
  {
    page: pageOf,
    status: textOf,
    search: textOf,
    withdrawal: textOf,
    request: (value) => value === true || undefined,
  },
  periodOf,
)

/** `open` is "new" while a customer is entered. */
export const customersSearch = searchOf({ page: pageOf, status: textOf, search: textOf, open: textOf })
