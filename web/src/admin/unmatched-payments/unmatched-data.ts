import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { listQuery } from "#api/list-query.ts"
import type { UnmatchedSearch } from "../search-params.ts"
import type { Decision } from "./unmatched-payment-decision.ts"

export const unmatchedKey = ["admin", "unmatched-payments"] as const
export const pageSize = 100

export type UnmatchedFilter = Pick<UnmatchedSearch, "status" | "reason" | "search">

export function unmatchedQuery(page: number, filter: UnmatchedFilter) {
  return listQuery({
    key: unmatchedKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listUnmatchedPayments, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.payments,
  })
}

export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: [...unmatchedKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getUnmatchedPayment, { params: { id }, signal })).data.payment,
  })
}

interface DecisionOrder {
  id: string
  decision: Decision
  adminNotes: string
  /** The seller to credit when no charge identifies one. */
  sellerId: string | null
}

export function decide({ id, decision, adminNotes, sellerId }: DecisionOrder) {
  if (decision === "return") return call(heads.returnUnmatchedPayment, { params: { id }, body: { adminNotes } })
  return call(heads.acceptUnmatchedPayment, { params: { id }, body: { adminNotes, sellerId } })
}

export function closeEntry(id: string, reason: string) {
  return call(heads.closeUnreadableEntry, { params: { id }, body: { reason } })
}
