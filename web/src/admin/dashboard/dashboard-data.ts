import { queryOptions } from "@tanstack/react-query"
import type { listAllTransactionsEndpoint } from "@tilinta/contract/api/admin-transactions-endpoints"
import type { listAllDisputesEndpoint } from "@tilinta/contract/api/disputes-endpoints"
import type { dashboardReportEndpoint } from "@tilinta/contract/api/reports-endpoints"
import type { listUnmatchedPaymentsEndpoint } from "@tilinta/contract/api/unmatched-payments-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listUsers, usersKey } from "../users/users-data.ts"

const dashboardReport = leanEndpoint<typeof dashboardReportEndpoint>("GET", "/api/v1/admin/reports/dashboard")
const listTransactions = leanEndpoint<typeof listAllTransactionsEndpoint>("GET", "/api/v1/admin/transactions")
const listUnmatchedPayments = leanEndpoint<typeof listUnmatchedPaymentsEndpoint>(
  "GET",
  "/api/v1/admin/unmatched-payments",
)
const listDisputes = leanEndpoint<typeof listAllDisputesEndpoint>("GET", "/api/v1/admin/disputes")
export const shownRows = 5

export const dashboardQuery = queryOptions({
  queryKey: ["admin", "dashboard"],
  queryFn: async ({ signal }) => (await call(dashboardReport, { signal })).data,
})

export const recentTransactionsQuery = queryOptions({
  queryKey: ["admin", "transactions", "recent"],
  queryFn: async ({ signal }) => (await call(listTransactions, { query: { limit: "10" }, signal })).data,
})

export const recentUsersQuery = queryOptions({
  queryKey: [...usersKey, "recent"],
  queryFn: async ({ signal }) => (await call(listUsers, { query: { limit: String(shownRows) }, signal })).data,
})

export const openUnmatchedPaymentsQuery = queryOptions({
  queryKey: ["admin", "unmatched-payments", "open"],
  queryFn: async ({ signal }) => (await call(listUnmatchedPayments, { query: { limit: "1" }, signal })).data.summary,
})

export const liveDisputesQuery = queryOptions({
  queryKey: ["admin", "disputes", "live"],
  queryFn: async ({ signal }) => (await call(listDisputes, { query: { limit: "1" }, signal })).results,
})
