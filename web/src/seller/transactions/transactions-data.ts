import { queryOptions } from "@tanstack/react-query"
import type { listTransactionsEndpoint } from "@tilinta/contract/api/transactions-endpoints"
import type { SellerStatusFilter } from "@tilinta/contract/vocabulary/transaction-status"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

export const listTransactions = leanEndpoint<typeof listTransactionsEndpoint>("GET", "/api/v1/payments/transactions")
export const transactionsKey = ["seller", "transactions"] as const
export const pageSize = 20

export interface TransactionsFilter {
  page: number
  status: SellerStatusFilter | undefined
  search: string | undefined
}

export function transactionsQuery({ page, status, search }: TransactionsFilter) {
  return queryOptions({
    queryKey: [...transactionsKey, "list", page, status ?? "", search ?? ""],
    queryFn: ({ signal }) =>
      call(listTransactions, {
        query: { page: String(page), limit: String(pageSize), status, search },
        signal,
      }),
  })
}
