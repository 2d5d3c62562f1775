import { type ChargePageStatus, chargePageStatuses } from "@tilinta/contract/vocabulary/charge-page-status"
import { pageOf, textOf, wordOf } from "../page-search.ts"

export interface ChargeListSearch {
  page?: number | undefined
  status?: ChargePageStatus | undefined
  search?: string | undefined
}

export function chargeListSearch(raw: Record<string, unknown>): ChargeListSearch {
  return { page: pageOf(raw.page), status: wordOf(raw.status, chargePageStatuses), search: textOf(raw.search) }
}
