import { type ChargePageStatus, chargePageStatuses } from "@tilinta/contract/vocabulary/charge-page-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { pageOf, textOf, wordOf } from "#ui/list-search.ts"

export type AllChargePagesSearch = Pick<ListSearch<ChargePageStatus>, "page" | "status" | "search">

export function allChargePagesSearch(raw: Record<string, unknown>): AllChargePagesSearch {
  return { page: pageOf(raw.page), status: wordOf(raw.status, chargePageStatuses), search: textOf(raw.search) }
}
