import { queryOptions } from "@tanstack/react-query"
import type { getSellerReportEndpoint, ReportDays } from "@tilinta/contract/api/seller-report-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const getSellerReport = leanEndpoint<typeof getSellerReportEndpoint>("GET", "/api/v1/reports/seller")
export const salesKey = ["seller", "sales"] as const

export function salesQuery(days: ReportDays) {
  return queryOptions({
    queryKey: [...salesKey, days],
    queryFn: async ({ signal }) => (await call(getSellerReport, { query: { days }, signal })).data,
  })
}
