import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { success } from "./fields.ts"

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

export const getSellerReportEndpoint = defineEndpoint(heads.getSellerReport, {
  operationId: "getSellerReport",
  audience: "seller",
  urgency: "last",
  tag: "Transações",
  summary: "Vendas por dia e conversão (páginas abertas, Pix gerados, pagos) dos últimos 7 ou 30 dias",
  query: z.object({ days: z.prefault(z.enum(reportDays, "Informe 7 ou 30 dias."), "7") }),
  reply: { status: 200, schema: success(sellerReport) },
})
