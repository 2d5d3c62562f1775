import { queryOptions } from "@tanstack/react-query"
import type {
  acceptUnmatchedPaymentEndpoint,
  closeUnreadableEntryEndpoint,
  getUnmatchedPaymentEndpoint,
  listUnmatchedPaymentsEndpoint,
  returnUnmatchedPaymentEndpoint,
} from "@tilinta/contract/api/unmatched-payments-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listQuery } from "#api/list-query.ts"
import type { Decision } from "./unmatched-payment-decision.ts"
import type { UnmatchedSearch } from "./unmatched-search.ts"

const path = "/api/v1/admin/unmatched-payments"
const list = leanEndpoint<typeof listUnmatchedPaymentsEndpoint>("GET", path)
const getOne = leanEndpoint<typeof getUnmatchedPaymentEndpoint>("GET", `${path}/:id`)
const accept = leanEndpoint<typeof acceptUnmatchedPaymentEndpoint>("PATCH", `${path}/:id/accept`)
const giveBack = leanEndpoint<typeof returnUnmatchedPaymentEndpoint>("PATCH", `${path}/:id/return`)
const closeUnreadable = leanEndpoint<typeof closeUnreadableEntryEndpoint>(
  "PATCH",
  "/api/v1/admin/unreadable-entries/:id/close",
)

export const unmatchedKey = ["admin", "unmatched-payments"] as const
export const pageSize = 100

export type UnmatchedFilter = Pick<UnmatchedSearch, "status" | "reason" | "search">

export function unmatchedQuery(page: number, filter: UnmatchedFilter) {
  return listQuery({
    key: unmatchedKey,
    page,
    filter,
    ask: (part, signal) => call(list, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.payments,
  })
}

export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: [...unmatchedKey, "one", id],
    queryFn: async ({ signal }) => (await call(getOne, { params: { id }, signal })).data.payment,
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
  if (decision === "return") return call(giveBack, { params: { id }, body: { adminNotes } })
  return call(accept, { params: { id }, body: { adminNotes, sellerId } })
}

export function closeEntry(id: string, reason: string) {
  return call(closeUnreadable, { params: { id }, body: { reason } })
}
