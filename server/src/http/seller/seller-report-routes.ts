import { getSellerReportEndpoint, type SalesDayView } from "@tilinta/contract/api/seller-report-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { ReportsDb } from "#db/transaction"
import { readSellerReport } from "#domain/overviews/reports/read-seller-report"
import type { SalesDay } from "#domain/selling/charges/sales-of-days"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { sellerOf } from "./session-of.ts"

export function sellerReportRoutes(app: FastifyInstance, deps: { db: ReportsDb; clock: Clock }): void {
  serveEndpoint(app, getSellerReportEndpoint, async ({ query, request }) => {
    const wanted = { sellerId: sellerOf(request).id, days: Number(query.days) }
    const { days, previousDays, conversion } = await readSellerReport(deps, wanted)
    return { days: days.map(toView), previousDays: previousDays.map(toView), conversion }
  })
}

function toView({ day, count, grossCents, netCents }: SalesDay): SalesDayView {
  return { day, count, gross: reaisFromCents(grossCents), net: reaisFromCents(netCents) }
}
