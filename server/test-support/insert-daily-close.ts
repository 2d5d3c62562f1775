import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { newId } from "#kit/ids"

/** Inserts a compared day with differences, at a provider of its own. Returns its id. */
export async function insertDifferingDay(db: Db, day = "2026-11-20"): Promise<string> {
  const id = newId()
  const closedAt = new Date(`${day}T06:00:04-03:00`)
  await db
    .insertInto("daily_closes")
    .values({
      id,
      provider: `banco-${id}`,
      day,
      closed_at: closedAt,
      comparisons: 1,
      difference_count: 1,
      mended_count: 0,
      last_error: null,
      next_attempt_at: null,
      run_id: null,
    })
    .execute()
  await db
    .insertInto("daily_close_totals")
    .values({
      close_id: id,
      kind: "payout",
      our_count: 1,
      our_cents: 3_000 as Cents,
      bank_count: 2,
      bank_cents: 3_050 as Cents,
    })
    .execute()
  await db
    .insertInto("daily_close_differences")
    .values({
      close_id: id,
      kind: "payout",
      reference: "=estranho",
      problem: "missing_with_us",
      our_cents: null,
      bank_cents: 50 as Cents,
      our_state: null,
      bank_state: "completed",
      happened_at: new Date(`${day}T15:00:00-03:00`),
      found_at: closedAt,
      run_id: null,
    })
    .execute()
  return id
}
