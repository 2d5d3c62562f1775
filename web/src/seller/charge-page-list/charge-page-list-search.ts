import { type ChargePageStatus, chargePageStatuses } from "@tilinta/contract/vocabulary/charge-page-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

export type ChargePageListSearch = ListSearch<ChargePageStatus>

export function chargePageListSearch(raw: Record<string, unknown>): ChargePageListSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, chargePageStatuses),
    search: textOf(raw.search),
    ...periodOf(raw),
  }
}
