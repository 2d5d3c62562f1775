import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import { call } from "#api/client.ts"
import type { DisputesSearch } from "../search-params.ts"

export const disputesKey = ["admin", "disputes"] as const
export const pageSize = 100

type DisputesFilter = Pick<DisputesSearch, "status" | "reason" | "search">

export function disputesQuery(page: number, filter: DisputesFilter) {
  return queryOptions({
    queryKey: [...disputesKey, "list", page, filter],
    queryFn: ({ signal }) =>
      call(heads.listAllDisputes, { query: { page: String(page), limit: String(pageSize), ...filter }, signal }),
  })
}

export function disputeQuery(id: string) {
  return queryOptions({
    queryKey: [...disputesKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getDispute, { params: { id }, signal })).data.dispute,
  })
}

export function transactionDisputesQuery(transactionId: string) {
  return queryOptions({
    queryKey: [...disputesKey, "of transaction", transactionId],
    queryFn: async ({ signal }) =>
      (await call(heads.listPaymentDisputes, { params: { id: transactionId }, signal })).data.disputes,
  })
}

export type Ending = "release" | "debit"

export function closeDispute({ id, ending, adminNotes }: { id: string; ending: Ending; adminNotes: string }) {
  const order = { params: { id }, body: { adminNotes } }
  return ending === "release" ? call(heads.releaseDispute, order) : call(heads.debitDispute, order)
}

export function defendDispute(id: string, text: string) {
  return call(heads.adminDefendDispute, { params: { id }, body: { text } })
}

interface Registration {
  endToEndId: string
  amount: number | null
  reason: DisputeReason
  respondUntil: string | null
  adminNotes: string
}

export function registerDispute(body: Registration, idempotencyKey: string) {
  return call(heads.registerDispute, { body, headers: { "Idempotency-Key": idempotencyKey } })
}
