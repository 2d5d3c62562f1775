import {
  type UnmatchedPaymentReason,
  unmatchedPaymentReasons,
} from "@tilinta/contract/vocabulary/unmatched-payment-status"
import { idOf, pageOf, textOf, wordOf } from "#ui/list-search.ts"

/** Without a status the list shows what is still open. */
export const otherStatusWords = ["resolved", "all"] as const

export interface UnmatchedSearch {
  page?: number | undefined
  status?: (typeof otherStatusWords)[number] | undefined
  reason?: UnmatchedPaymentReason | undefined
  search?: string | undefined
  /** The open payment. */
  payment?: string | undefined
}

export function unmatchedSearch(raw: Record<string, unknown>): UnmatchedSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, otherStatusWords),
    reason: wordOf(raw.reason, unmatchedPaymentReasons),
    search: textOf(raw.search),
    payment: idOf(raw.payment),
  }
}
