import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { listRefundsEndpoint } from "@tilinta/contract/refunds"
import type { SellerStatusFilter } from "@tilinta/contract/vocabulary/transactions"
import { call, type ReplyOf } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import type { DayRange } from "#format/dates.ts"

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

export const pageSize = 10

interface TransactionsFilter extends Partial<DayRange> {
  status: SellerStatusFilter | undefined
  search: string | undefined
}

/** Kept totals come with the rows; those of a search are counted apart, and its rows don't wait for them. */
export function transactionsQuery(page: number, filter: TransactionsFilter) {
  const totals = filter.search === undefined ? undefined : "none"
  return listQuery({
    key: transactionsKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listTransactions, { query: { ...part, limit: String(pageSize), totals, ...filter }, signal }),
    rowsOf: ({ data }) => data.transactions,
  })
}

export function searchTotalsQuery(filter: TransactionsFilter) {
  return queryOptions({
    queryKey: [...transactionsKey, "totals", filter],
    enabled: filter.search !== undefined,
    queryFn: async ({ signal }) => {
      const { summary } = (await call(heads.listTransactions, { query: { limit: "1", ...filter }, signal })).data
      if (summary === undefined) throw new Error("an answer without its totals")
      return summary
    },
  })
}
