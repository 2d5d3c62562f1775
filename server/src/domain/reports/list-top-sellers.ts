import type { Days } from "#db/sao-paulo-days"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { firstDayOf, lastDayOf, monthOf, saoPauloDay } from "#kit/sao-paulo-day"
import { findTopSellers, type TopSeller } from "./reports-repository.ts"

/** By the gross of what was paid on these days, or in the present month where none are given. */
export async function listTopSellers(
  { db, clock }: { db: Db; clock: Clock },
  days: Days | null,
  limit: number,
): Promise<TopSeller[]> {
  const month = monthOf(saoPauloDay(clock.now()))
  return findTopSellers(db, days ?? { dayFrom: firstDayOf(month), dayTo: lastDayOf(month) }, limit)
}
