import { queryOptions } from "@tanstack/react-query"
import type { ChargePageView, PublicChargePageView } from "@tilinta/contract/charge-pages"
import * as heads from "@tilinta/contract/heads"
import { ApiError } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { payersOrigin } from "#format/receipt-texts.ts"

/** Cache key of everything that a change of one page makes stale. */
export const chargePagesKey = ["seller", "charge-pages"] as const

/** The dashboard's query: without parameters, the newest ten and the totals. */
export const recentChargePagesQuery = queryOptions({
  queryKey: [...chargePagesKey, "recent"],
  queryFn: ({ signal }) => call(heads.listChargePages, { signal }),
})

export function chargePageQuery(id: string) {
  return queryOptions({
    queryKey: [...chargePagesKey, "one", id],
    queryFn: async ({ signal }): Promise<ChargePageView> => {
      const { data } = await call(heads.getChargePage, { params: { id }, signal })
      if (!isOwnView(data.checkoutPage)) throw new ApiError(404, "charge_page_not_found", "")
      return data.checkoutPage
    },
  })
}

/** The same path answers public links too, with fewer fields. */
function isOwnView(page: ChargePageView | PublicChargePageView): page is ChargePageView {
  return "createdAt" in page
}

export function cancelChargePage(id: string) {
  return call(heads.cancelChargePage, { params: { id } })
}

/** The link that the seller shares: the payers' origin and the page's own link. */
export function publicLinkOf(uniqueLink: string): string {
  return `${payersOrigin()}/checkout/${uniqueLink}`
}

/** For display, without the protocol. */
export function shortLinkOf(uniqueLink: string): string {
  return publicLinkOf(uniqueLink).replace(/^https?:\/\//, "")
}
