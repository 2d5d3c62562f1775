import type { ReportsDb } from "#db/transaction"
import { countOpenings } from "#domain/platform/openings/count-openings"
import { conversionOfDays, type SalesDay, salesOfDays } from "#domain/selling/charges/sales-of-days"
import type { Clock } from "#kit/clock"
import { daysAfter, saoPauloDay } from "#kit/sao-paulo-day"

interface SellerReport {
  /** Oldest first; the last one is today. */
  days: SalesDay[]
  /** The same number of days immediately before. */
  previousDays: SalesDay[]
  conversion: { opened: number; generated: number; paid: number }
}

/** The most recent São Paulo days, from totals kept by the database: the history is never added up. */
export async function readSellerReport(
  { db, clock }: { db: ReportsDb; clock: Clock },
  { sellerId, days }: { sellerId: string; days: number },
): Promise<SellerReport> {
  const dayTo = saoPauloDay(clock.now())
  const dayFrom = daysAfter(dayTo, 1 - days)
  const range = { sellerId, dayFrom, dayTo }
  const [sales, opened, charges] = await Promise.all([
    salesOfDays(db, { ...range, dayFrom: daysAfter(dayFrom, -days) }),
    countOpenings(db, range),
    conversionOfDays(db, range),
  ])
  return { days: sales.slice(days), previousDays: sales.slice(0, days), conversion: { opened, ...charges } }
}
