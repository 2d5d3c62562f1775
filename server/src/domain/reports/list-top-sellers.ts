import type { Days } from "#db/sao-paulo-days"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { daysAfter, firstDayOf, lastDayOf, monthOf, saoPauloDay } from "#kit/sao-paulo-day"
import { findTopAmongBestEver, findTopSellers, type TopSeller } from "./reports-repository.ts"

/** Beyond this there are more days of all sellers than is quick to add up. */
const LONG_DAYS = 92

/** By the gross of what was paid on these days, or in the present month where none are given. */
export async function listTopSellers(
  { db, clock }: { db: Db; clock: Clock },
  days: Days | null,
  limit: number,
): Promise<TopSeller[]> {
  const today = saoPauloDay(clock.now())
  const month = monthOf(today)
  const asked = days ?? { dayFrom: firstDayOf(month), dayTo: lastDayOf(month) }
  const isLong = asked.dayFrom === undefined || daysAfter(asked.dayFrom, LONG_DAYS) < (asked.dayTo ?? today)
  const quick = isLong ? await findTopAmongBestEver(db, asked, limit) : null
  return quick ?? findTopSellers(db, asked, limit)
}
