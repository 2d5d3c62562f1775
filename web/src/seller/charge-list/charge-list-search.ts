import { type ChargePageStatus, chargePageStatuses } from "@tilinta/contract/vocabulary/charge-page-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

export type ChargeListSearch = ListSearch<ChargePageStatus>

export function chargeListSearch(raw: Record<string, unknown>): ChargeListSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, chargePageStatuses),
    search: textOf(raw.search),
    ...periodOf(raw),
  }
}
