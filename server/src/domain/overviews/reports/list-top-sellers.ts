import type { Days } from "#db/sao-paulo-days"
import type { ReportsDb } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { daysAfter, firstDayOf, lastDayOf, monthOf, saoPauloDay } from "#kit/sao-paulo-day"
import { findTopAmongBestEver, findTopOfMonth, findTopSellers, type TopSeller } from "./reports-repository.ts"

/** Longer periods contain too many seller days to add up quickly. */
const LONG_DAYS = 92
/**
 * Candidates per requested row: first as many as usually contain the best of a long period, then as many as nearly
 * always do.
 */
const CANDIDATES = [4, 100]

/** Ranked by the gross of payments on these days, or in the present month when none are given. */
export async function listTopSellers(
  { db, clock }: { db: ReportsDb; clock: Clock },
  days: Days | null,
  limit: number,
): Promise<TopSeller[]> {
  const today = saoPauloDay(clock.now())
  const present = monthOf(today)
  const { dayFrom, dayTo = today } = days ?? { dayFrom: firstDayOf(present), dayTo: lastDayOf(present) }
  if (dayFrom !== undefined && isWholeMonth(dayFrom, dayTo, today))
    return findTopOfMonth(db, { dayFrom, dayTo, lastDay: lastDayOf(monthOf(dayFrom)) }, limit)
  const isLong = dayFrom === undefined || daysAfter(dayFrom, LONG_DAYS) < dayTo
  for (const factor of isLong ? CANDIDATES : []) {
    const quick = await findTopAmongBestEver(db, { dayFrom, dayTo }, limit, limit * factor)
    if (quick !== null) return quick
  }
  return findTopSellers(db, { dayFrom, dayTo }, limit)
}

/** Includes the present month: nothing is sold on future days, except with a clock that is ahead. */
function isWholeMonth(dayFrom: string, dayTo: string, today: string): boolean {
  const month = monthOf(dayFrom)
  return dayFrom === firstDayOf(month) && monthOf(dayTo) === month && (dayTo === lastDayOf(month) || dayTo >= today)
}
