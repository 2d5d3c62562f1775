import { queryOptions } from "@tanstack/react-query"
import type { listRefundsEndpoint } from "@tilinta/contract/api/refunds-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call, type ReplyOf } from "#api/client.ts"

export const transactionsKey = ["seller", "transactions"] as const

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getTransaction, { params: { id }, signal })).data.transaction,
  })
}

export type KnownRefunds = ReplyOf<typeof listRefundsEndpoint>["data"]

export function refundsQuery(id: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "refunds", id],
    queryFn: async ({ signal }) => (await call(heads.listRefunds, { params: { id }, signal })).data,
  })
}

export interface RefundOrder {
  amount: number
  reason: string
}

export function requestRefund(id: string, body: RefundOrder, idempotencyKey: string) {
  return call(heads.refundTransaction, { params: { id }, body, headers: { "Idempotency-Key": idempotencyKey } })
}
