import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { countAndAmount, inOrder, periodFilters, success, userReference, wholeNumberQuery } from "./fields.ts"
import * as heads from "./heads.ts"
import { managers } from "./vocabulary/team.ts"

const tag = "Administração: relatórios"

interface PeriodQuery {
  period?: "month" | "custom" | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

const bothEndsOfCustom = z.refine<PeriodQuery>(
  ({ period, startDate, endDate, dateFrom, dateTo }) =>
    period !== "custom" || ((startDate ?? dateFrom) !== undefined && (endDate ?? dateTo) !== undefined),
  { path: ["startDate"], error: "Informe a data inicial e a data final." },
)

export const topUsersEndpoint = defineEndpoint("topUsers", heads.topUsers, {
  audience: "admin",
  whileFrozen: true,
  urgency: "last",
  tag,
  summary: "Quem mais vendeu, no mês corrente ou entre duas datas: valor bruto do que foi pago",
  query: z
    .object({
      limit: wholeNumberQuery(5, 100),
      period: z.optional(z.enum(["month", "custom"], "Período desconhecido.")),
      ...periodFilters(),
    })
    .check(bothEndsOfCustom, inOrder),
  reply: {
    status: 200,
    schema: success(
      z.object({
        topUsers: z.array(z.object({ user: userReference, totalAmount: z.number(), totalSales: z.number() })),
      }),
    ),
  },
})

const day = z.string()

/**
 * Days and months are São Paulo's. `count` counts what was created in the period, the paid amounts what was paid in it.
 */
const series = { count: z.number(), paidCount: z.number(), grossAmount: z.number(), netAmount: z.number() }

export const summaryReport = z.object({
  period: z.object({ startDate: z.nullable(day), endDate: day }),
  /** `YYYY-MM-DD`, without a gap; the last seven days when no start is given. */
  days: z.array(z.object({ day, ...series })),
  /** `YYYY-MM`, without a gap; the last twelve months when no start is given. */
  months: z.array(z.object({ month: z.string(), ...series })),
  paymentMethods: z.array(z.object({ paymentMethod: z.literal("pix"), ...series })),
})
export type SummaryReport = z.infer<typeof summaryReport>

export const summaryReportEndpoint = defineEndpoint("summaryReport", heads.summaryReport, {
  audience: "admin",
  whileFrozen: true,
  urgency: "last",
  tag,
  summary: "Transações por dia, receita por mês e por método de pagamento, do período ou de tudo",
  query: z.object(periodFilters()).check(inOrder),
  reply: { status: 200, schema: success(summaryReport) },
})

export const dashboardReport = z.object({
  /** Users of every role, inactive ones too. */
  users: z.number(),
  /** Net amount of approved transactions. */
  revenue: z.number(),
  transactions: z.number(),
  pendingWithdrawals: countAndAmount,
  chargePages: z.number(),
  /** Percent by which this month's count of transactions differs from last month's; 0 if that had none. */
  monthlyGrowth: z.number(),
})
export type DashboardReport = z.infer<typeof dashboardReport>

export const dashboardReportEndpoint = defineEndpoint("dashboardReport", heads.dashboardReport, {
  audience: "admin",
  whileFrozen: true,
  urgency: "last",
  tag,
  summary: "Os números do painel da administração, exatos",
  reply: { status: 200, schema: success(dashboardReport) },
})

const reportDays = ["7", "30"] as const
export type ReportDays = (typeof reportDays)[number]

export const salesDay = z.object({
  /** São Paulo calendar day, `YYYY-MM-DD`. */
  day: z.string(),
  count: z.number(),
  gross: z.number(),
  net: z.number(),
})
export type SalesDayView = z.infer<typeof salesDay>

export const sellerReport = z.object({
  days: z.array(salesDay),
  previousDays: z.array(salesDay),
  conversion: z.object({ opened: z.number(), generated: z.number(), paid: z.number() }),
})
export type SellerReportView = z.infer<typeof sellerReport>

export const getSellerReportEndpoint = defineEndpoint("getSellerReport", heads.getSellerReport, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  urgency: "last",
  tag: "Transações",
  summary: "Vendas por dia e conversão (páginas abertas, Pix gerados, pagos) dos últimos 7 ou 30 dias",
  query: z.object({ days: z.prefault(z.enum(reportDays, "Informe 7 ou 30 dias."), "7") }),
  reply: { status: 200, schema: success(sellerReport) },
})

const exampleSeries = { count: 3, paidCount: 2, grossAmount: 200, netAmount: 170 }

export const reportsExamples = [
  defineExample(topUsersEndpoint, {
    query: { limit: "5", period: "custom", startDate: "2020-01-01", endDate: "2099-12-31" },
    data: {
      topUsers: [
        {
          user: { _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
          totalAmount: 200,
          totalSales: 2,
        },
      ],
    },
    failures: ["validation_failed"],
  }),
  defineExample(summaryReportEndpoint, {
    query: { startDate: "2026-11-21", endDate: "2026-11-21" },
    data: {
      period: { startDate: "2026-11-21", endDate: "2026-11-21" },
      days: [{ day: "2026-11-21", ...exampleSeries }],
      months: [{ month: "2026-11", ...exampleSeries }],
      paymentMethods: [{ paymentMethod: "pix", ...exampleSeries }],
    },
    failures: [],
  }),
  defineExample(dashboardReportEndpoint, {
    data: {
      users: 12,
      revenue: 170,
      transactions: 3,
      pendingWithdrawals: { count: 1, amount: 50 },
      chargePages: 4,
      monthlyGrowth: 12.5,
    },
    failures: [],
  }),
]

export const sellerReportExamples = [
  defineExample(getSellerReportEndpoint, {
    query: { days: "7" },
    data: {
      days: [{ day: "2026-11-21", count: 9, gross: 2171.3, net: 1845.6 }],
      previousDays: [{ day: "2026-11-14", count: 6, gross: 1400, net: 1190 }],
      conversion: { opened: 214, generated: 96, paid: 71 },
    },
    failures: [],
  }),
]
