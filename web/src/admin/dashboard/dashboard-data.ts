import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { usersKey } from "../users/users-data.ts"

export const shownRows = 5

export const dashboardQuery = queryOptions({
  queryKey: ["admin", "dashboard"],
  queryFn: async ({ signal }) => (await call(heads.dashboardReport, { signal })).data,
})

export const recentTransactionsQuery = queryOptions({
  queryKey: ["admin", "transactions", "recent"],
  queryFn: async ({ signal }) => (await call(heads.listAllTransactions, { query: { limit: "10" }, signal })).data,
})

export const recentUsersQuery = queryOptions({
  queryKey: [...usersKey, "recent"],
  queryFn: async ({ signal }) => (await call(heads.listUsers, { query: { limit: String(shownRows) }, signal })).data,
})

export const openUnmatchedPaymentsQuery = queryOptions({
  queryKey: ["admin", "unmatched-payments", "open"],
  queryFn: async ({ signal }) =>
    (await call(heads.listUnmatchedPayments, { query: { limit: "1" }, signal })).data.summary,
})

export const liveDisputesQuery = queryOptions({
  queryKey: ["admin", "disputes", "live"],
  queryFn: async ({ signal }) => (await call(heads.listAllDisputes, { query: { limit: "1" }, signal })).results,
})
