import { queryOptions } from "@tanstack/react-query"
import type { getTransactionEndpoint, listTransactionsEndpoint } from "@tilinta/contract/api/transactions-endpoints"
import type { SellerStatusFilter } from "@tilinta/contract/vocabulary/transaction-status"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import type { DayRange } from "#format/period.ts"

export const listTransactions = leanEndpoint<typeof listTransactionsEndpoint>("GET", "/api/v1/payments/transactions")
const getTransaction = leanEndpoint<typeof getTransactionEndpoint>("GET", "/api/v1/payments/transactions/:id")
export const transactionsKey = ["seller", "transactions"] as const
export const pageSize = 20

export interface TransactionsFilter extends Partial<DayRange> {
  status: SellerStatusFilter | undefined
  search: string | undefined
}

export function transactionsQuery(page: number, filter: TransactionsFilter) {
  return queryOptions({
    queryKey: [...transactionsKey, "list", page, filter],
    queryFn: ({ signal }) =>
      call(listTransactions, { query: { page: String(page), limit: String(pageSize), ...filter }, signal }),
  })
}

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "one", id],
    queryFn: async ({ signal }) => (await call(getTransaction, { params: { id }, signal })).data.transaction,
  })
}
