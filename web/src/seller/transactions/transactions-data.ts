import { queryOptions } from "@tanstack/react-query"
import type { listRefundsEndpoint, refundTransactionEndpoint } from "@tilinta/contract/api/refunds-endpoints"
import type { getTransactionEndpoint, listTransactionsEndpoint } from "@tilinta/contract/api/transactions-endpoints"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

export const listTransactions = leanEndpoint<typeof listTransactionsEndpoint>("GET", "/api/v1/payments/transactions")
const getTransaction = leanEndpoint<typeof getTransactionEndpoint>("GET", "/api/v1/payments/transactions/:id")
const listRefunds = leanEndpoint<typeof listRefundsEndpoint>("GET", "/api/v1/payments/transactions/:id/refunds")
const postRefund = leanEndpoint<typeof refundTransactionEndpoint>("POST", "/api/v1/payments/transactions/:id/refunds")
export const transactionsKey = ["seller", "transactions"] as const

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "one", id],
    queryFn: async ({ signal }) => (await call(getTransaction, { params: { id }, signal })).data.transaction,
  })
}

export type KnownRefunds = ReplyOf<typeof listRefundsEndpoint>["data"]

export function refundsQuery(id: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "refunds", id],
    queryFn: async ({ signal }) => (await call(listRefunds, { params: { id }, signal })).data,
  })
}

export interface RefundOrder {
  amount: number
  reason: string
}

export function requestRefund(id: string, body: RefundOrder, idempotencyKey: string) {
  return call(postRefund, { params: { id }, body, headers: { "Idempotency-Key": idempotencyKey } })
}
