import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { PaymentMethod } from "@tilinta/contract/vocabulary/payment-methods"
import { call } from "#api/client.ts"
import { listQuery } from "#api/list-query.ts"
import type { DayRange } from "#format/period.ts"
import type { StatusGroup } from "../search-params.ts"

export const listPath = "/api/v1/admin/transactions"

export const transactionsKey = ["admin", "transactions"] as const
export const pageSize = 100

export interface TransactionsFilter extends Partial<DayRange> {
  status: StatusGroup | undefined
  search: string | undefined
  paymentMethod: PaymentMethod | undefined
}

export function transactionsQuery(page: number, filter: TransactionsFilter) {
  return listQuery({
    key: transactionsKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listAllTransactions, {
        query: { ...part, limit: String(pageSize), totals: "none", ...filter },
        signal,
      }),
    rowsOf: ({ data }) => data.transactions,
  })
}

/**
 * Totals of everything that the filter finds, fetched apart: counting a search may take a while, and its rows don't
 * wait.
 */
export function totalsQuery(filter: TransactionsFilter) {
  return queryOptions({
    queryKey: [...transactionsKey, "totals", filter],
    queryFn: async ({ signal }) => {
      const { summary } = (await call(heads.listAllTransactions, { query: { limit: "1", ...filter }, signal })).data
      if (summary === undefined) throw new Error("an answer without its totals")
      return summary
    },
  })
}

/** Refunds are fetched first, so that the transaction already reflects those that are final. */
export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "one", id],
    queryFn: async ({ signal }) => {
      const { refunds, refundable, deadline } = (await call(heads.adminListRefunds, { params: { id }, signal })).data
      const { transaction } = (await call(heads.getAnyTransaction, { params: { id }, signal })).data
      return { transaction, refunds, refundable, deadline }
    },
  })
}

export interface RefundOrder {
  id: string
  amount: number
  reason: string
}

export function refundTransaction({ id, amount, reason }: RefundOrder, idempotencyKey: string) {
  const headers = { "Idempotency-Key": idempotencyKey }
  return call(heads.adminRefundTransaction, { params: { id }, body: { amount, reason }, headers })
}
