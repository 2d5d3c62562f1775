import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { transactionsKey } from "../transactions/transactions-data.ts"

export const shownRows = 5

export const recentTransactionsQuery = queryOptions({
  queryKey: [...transactionsKey, "recent"],
  queryFn: async ({ signal }) =>
    (await call(heads.listTransactions, { query: { page: "1", limit: String(shownRows) }, signal })).data,
})

export const balanceKey = ["seller", "balance"] as const
export const balanceQuery = queryOptions({
  queryKey: balanceKey,
  queryFn: async ({ signal }) => (await call(heads.getMyBalance, { signal })).data,
})
