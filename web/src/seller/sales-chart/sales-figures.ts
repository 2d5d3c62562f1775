import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { ReportDays, SalesDayView } from "@tilinta/contract/reports"
import { call } from "#api/client.ts"

export const salesKey = ["seller", "sales"] as const

export function salesQuery(days: ReportDays) {
  return queryOptions({
    queryKey: [...salesKey, days],
    queryFn: async ({ signal }) => (await call(heads.getSellerReport, { query: { days }, signal })).data,
  })
}

export function netOf(days: readonly SalesDayView[]): number {
  return days.reduce((sum, { net }) => sum + Math.round(net * 100), 0) / 100
}

/** Null when the earlier value is 0, from which growth has no percentage. */
export function growthOf(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / before
}

/** "15/11", and for the last one "Hoje". */
export function dayLabel(day: string, isLast: boolean): string {
  return isLast ? "Hoje" : `${day.slice(8)}/${day.slice(5, 7)}`
}

/** A share for a bar: at most 1, and never too thin to see. */
export function shareOf(part: number, whole: number): number {
  if (part === 0 || whole === 0) return 0
  return Math.min(1, Math.max(0.02, part / whole))
}
