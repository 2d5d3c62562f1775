import { queryOptions } from "@tanstack/react-query"
import type { ReportDays } from "@tilinta/contract/api/seller-report-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

export const salesKey = ["seller", "sales"] as const

export function salesQuery(days: ReportDays) {
  return queryOptions({
    queryKey: [...salesKey, days],
    queryFn: async ({ signal }) => (await call(heads.getSellerReport, { query: { days }, signal })).data,
  })
}
