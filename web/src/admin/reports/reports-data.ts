import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import type { ReportsSearch } from "../search-params.ts"

// A report shows the moment of its request, so it is not refetched on focus.
const onlyWhenAsked = { refetchOnWindowFocus: false } as const

export function summaryQuery({ startDate, endDate }: ReportsSearch) {
  return queryOptions({
    queryKey: ["admin", "reports", "summary", startDate, endDate],
    queryFn: async ({ signal }) => (await call(heads.summaryReport, { query: { startDate, endDate }, signal })).data,
    ...onlyWhenAsked,
  })
}

export function topUsersQuery({ startDate, endDate }: ReportsSearch) {
  const isCustom = startDate !== undefined && endDate !== undefined
  const days = isCustom ? ({ period: "custom", startDate, endDate } as const) : ({ period: "month" } as const)
  return queryOptions({
    queryKey: ["admin", "reports", "top-users", days],
    queryFn: async ({ signal }) =>
      (await call(heads.topUsers, { query: { limit: "5", ...days }, signal })).data.topUsers,
    ...onlyWhenAsked,
  })
}
