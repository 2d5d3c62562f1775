import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { countAndAmount, inOrder, periodFilters, success, userReference, wholeNumberQuery } from "./fields.ts"

const tag = "Administração: relatórios"

interface AskedPeriod {
  period?: "month" | "custom" | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

const bothEndsOfCustom = z.refine<AskedPeriod>(
  ({ period, startDate, endDate, dateFrom, dateTo }) =>
    period !== "custom" || ((startDate ?? dateFrom) !== undefined && (endDate ?? dateTo) !== undefined),
  { path: ["startDate"], error: "Informe a data inicial e a data final." },
)

export const topUsersEndpoint = defineEndpoint(heads.topUsers, {
  operationId: "topUsers",
  audience: "admin",
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
        topUsers: z.array(
          z.object({
            user: userReference,
            totalAmount: z.number(),
            totalSales: z.number(),
          }),
        ),
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

export const summaryReportEndpoint = defineEndpoint(heads.summaryReport, {
  operationId: "summaryReport",
  audience: "admin",
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

export const dashboardReportEndpoint = defineEndpoint(heads.dashboardReport, {
  operationId: "dashboardReport",
  audience: "admin",
  urgency: "last",
  tag,
  summary: "Os números do painel da administração, exatos",
  reply: { status: 200, schema: success(dashboardReport) },
})
