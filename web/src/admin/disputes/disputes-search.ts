import { type DisputeReason, disputeReasons } from "@tilinta/contract/vocabulary/dispute-status"
import { idOf, pageOf, textOf, wordOf } from "#ui/list-search.ts"

/** Without a status the list shows what is not settled. */
export const otherStatusWords = ["accepted", "released", "all"] as const

export interface DisputesSearch {
  page?: number | undefined
  status?: (typeof otherStatusWords)[number] | undefined
  reason?: DisputeReason | undefined
  search?: string | undefined
  /** The open dispute. */
  dispute?: string | undefined
}

export function disputesSearch(raw: Record<string, unknown>): DisputesSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, otherStatusWords),
    reason: wordOf(raw.reason, disputeReasons),
    search: textOf(raw.search),
    dispute: idOf(raw.dispute),
  }
}
