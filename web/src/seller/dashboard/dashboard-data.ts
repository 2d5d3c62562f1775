import { queryOptions } from "@tanstack/react-query"
import { listTransactionsEndpoint } from "@tilinta/contract/api/transactions-endpoints"
import { getMyBalanceEndpoint } from "@tilinta/contract/api/users-endpoints"
import { call } from "#api/client.ts"
import { transactionsKey } from "../transactions/transactions-data.ts"

export const shownRows = 5
export const refreshMs = 10_000

export const recentTransactionsQuery = queryOptions({
  queryKey: [...transactionsKey, "recent"],
  queryFn: async ({ signal }) =>
    (await call(listTransactionsEndpoint, { query: { page: "1", limit: String(shownRows) }, signal })).data,
})

export const balanceQuery = queryOptions({
  queryKey: ["seller", "balance"],
  queryFn: async ({ signal }) => (await call(getMyBalanceEndpoint, { signal })).data.balance,
})
