import { queryOptions } from "@tanstack/react-query"
import type { getMyBalanceEndpoint } from "@tilinta/contract/api/users-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listTransactions, transactionsKey } from "../transactions/transactions-data.ts"

const getMyBalance = leanEndpoint<typeof getMyBalanceEndpoint>("GET", "/api/v1/users/myBalance")
export const shownRows = 5

export const recentTransactionsQuery = queryOptions({
  queryKey: [...transactionsKey, "recent"],
  queryFn: async ({ signal }) =>
    (await call(listTransactions, { query: { page: "1", limit: String(shownRows) }, signal })).data,
})

export const balanceKey = ["seller", "balance"] as const
export const balanceQuery = queryOptions({
  queryKey: balanceKey,
  queryFn: async ({ signal }) => (await call(getMyBalance, { signal })).data,
})
