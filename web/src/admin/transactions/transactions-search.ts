import { type PaymentMethod, paymentMethods } from "@tilinta/contract/vocabulary/payment-methods"
import { type AdminStatusFilter, adminStatusFilterWords } from "@tilinta/contract/vocabulary/transaction-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { idOf, pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

export type StatusGroup = "approved" | "pending" | "failed" | "refunded"

/** Any word of a group selects the whole group, in an address too. */
const groupOf = {
  approved: "approved",
  success: "approved",
  paid: "approved",
  pending: "pending",
  processing: "pending",
  failed: "failed",
  error: "failed",
  cancelled: "failed",
  refunded: "refunded",
} as const satisfies Record<AdminStatusFilter, StatusGroup>

export interface AdminTransactionsSearch extends ListSearch<StatusGroup> {
  paymentMethod?: PaymentMethod | undefined
  /** The open transaction. */
  transaction?: string | undefined
}

export function adminTransactionsSearch(raw: Record<string, unknown>): AdminTransactionsSearch {
  const status = wordOf(raw.status, adminStatusFilterWords)
  return {
    page: pageOf(raw.page),
    status: status === undefined ? undefined : groupOf[status],
    search: textOf(raw.search),
    paymentMethod: wordOf(raw.paymentMethod, paymentMethods),
    ...periodOf(raw),
    transaction: idOf(raw.transaction),
  }
}
