import { queryOptions } from "@tanstack/react-query"
import type { listRefundsEndpoint, refundTransactionEndpoint } from "@tilinta/contract/api/refunds-endpoints"
import type { getTransactionEndpoint, listTransactionsEndpoint } from "@tilinta/contract/api/transactions-endpoints"
import type { SellerStatusFilter } from "@tilinta/contract/vocabulary/transaction-status"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listQuery } from "#api/list-query.ts"
import type { DayRange } from "#format/period.ts"

export const listTransactions = leanEndpoint<typeof listTransactionsEndpoint>("GET", "/api/v1/payments/transactions")
const getTransaction = leanEndpoint<typeof getTransactionEndpoint>("GET", "/api/v1/payments/transactions/:id")
const listRefunds = leanEndpoint<typeof listRefundsEndpoint>("GET", "/api/v1/payments/transactions/:id/refunds")
const postRefund = leanEndpoint<typeof refundTransactionEndpoint>("POST", "/api/v1/payments/transactions/:id/refunds")
export const transactionsKey = ["seller", "transactions"] as const
export const pageSize = 10

export interface TransactionsFilter extends Partial<DayRange> {
  status: SellerStatusFilter | undefined
  search: string | undefined
}

export function transactionsQuery(page: number, filter: TransactionsFilter) {
  return listQuery({
    key: transactionsKey,
    page,
    filter,
    ask: (part, signal) => call(listTransactions, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.transactions,
  })
}

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
