import {
  dashboardReportEndpoint,
  getSellerReportEndpoint,
  type SalesDayView,
  type SummaryReport,
  summaryReportEndpoint,
  topUsersEndpoint,
} from "@tilinta/contract/reports"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { ReportsDb } from "#db/transaction"
import { daysOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { sellerOf } from "#people/sessions/caller"
import type { SalesDay } from "#selling/charges/search-reads"
import {
  type Activity,
  listTopSellers,
  type SummaryReport as Report,
  readDashboard,
  readSellerReport,
  readSummaryReport,
} from "./reports.ts"

export function reportRoutes(app: FastifyInstance, deps: { db: ReportsDb; clock: Clock }): void {
  serveEndpoint(app, topUsersEndpoint, async ({ query }) => {
    const { dayFrom, dayTo } = daysOf(query)
    const isCustom = query.period !== "month" && dayFrom !== undefined && dayTo !== undefined
    const sellers = await listTopSellers(deps, isCustom ? { dayFrom, dayTo } : null, query.limit)
    return {
      topUsers: sellers.map(({ seller, grossCents, count }) => ({
        user: { _id: seller.id, name: seller.name, email: seller.email },
        totalAmount: reaisFromCents(grossCents),
        totalSales: count,
      })),
    }
  })

  serveEndpoint(app, summaryReportEndpoint, async ({ query }) => {
    return toSummaryReport(await readSummaryReport(deps, daysOf(query)))
  })

  serveEndpoint(app, dashboardReportEndpoint, async () => {
    const dashboard = await readDashboard(deps)
    return {
      users: dashboard.usersCount,
      revenue: reaisFromCents(dashboard.revenueCents),
      transactions: dashboard.chargesCount,
      pendingWithdrawals: {
        count: dashboard.pendingWithdrawals.count,
        amount: reaisFromCents(dashboard.pendingWithdrawals.amountCents),
      },
      chargePages: dashboard.chargePagesCount,
      monthlyGrowth: dashboard.monthlyGrowthPercent,
    }
  })
}

function toSummaryReport({ from, to, days, months, whole }: Report): SummaryReport {
  const isEmpty = whole.count === 0 && whole.paidCount === 0
  return {
    period: { startDate: from, endDate: to },
    days: days.map(({ day, ...activity }) => ({ day, ...toSeries(activity) })),
    months: months.map(({ month, ...activity }) => ({ month, ...toSeries(activity) })),
    paymentMethods: isEmpty ? [] : [{ paymentMethod: "pix", ...toSeries(whole) }],
  }
}

function toSeries({ count, paidCount, grossCents, netCents }: Activity) {
  return { count, paidCount, grossAmount: reaisFromCents(grossCents), netAmount: reaisFromCents(netCents) }
}

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
