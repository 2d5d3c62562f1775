import { sql } from "kysely"
import { type Days, dayWithin } from "#db/list-range"
import type { Db, Tx } from "#db/transaction"
import type { PlatformTotals } from "./reads.ts"

/** A charge counts on its day of creation and, while it is paid, on its day of payment too. */
type DaySubject = "charge-created" | "charge-paid" | "withdrawal"

const sums = sql`sum(count)::bigint as count, sum(gross_cents)::bigint as "grossCents",
  sum(fee_cents)::bigint as "feeCents", sum(net_cents)::bigint as "netCents",
  sum(refunded_cents)::bigint as "refundedCents", sum(refunded_fee_cents)::bigint as "refundedFeeCents"`

/** All days together have one row per status, however long the history is. */
export async function readStatusTotals<Status extends string>(
  db: Db,
  subject: DaySubject | "charge-page",
  days: Days,
): Promise<(PlatformTotals & { status: Status })[]> {
  const hasDays = days.dayFrom !== undefined || days.dayTo !== undefined
  const kept = hasDays ? sql`platform_day_totals` : sql`platform_all_time_totals`
  const { rows } = await sql<PlatformTotals & { status: Status }>`
    select status, ${sums} from ${kept}
    where subject = ${subject} and ${hasDays ? dayWithin("day", days) : sql`true`}
    group by status`.execute(db)
  return rows
}

export async function readDayTotals(
  db: Db,
  subject: DaySubject,
  days: Days,
): Promise<(PlatformTotals & { day: string })[]> {
  const { rows } = await sql<PlatformTotals & { day: string }>`
    select day, ${sums} from platform_day_totals
    where subject = ${subject} and ${dayWithin("day", days)}
    group by day order by day`.execute(db)
  return rows
}

/** Totals of all days by reason, the part of the subject after its colon. */
export async function readReasonTotals<Reason extends string>(
  db: Db,
  kind: "unmatched-payment",
  statuses: readonly string[],
): Promise<(PlatformTotals & { reason: Reason })[]> {
  const { rows } = await sql<PlatformTotals & { reason: Reason }>`
    select split_part(subject, ':', 2) as reason, ${sums} from platform_all_time_totals
    where subject like ${`${kind}:%`} and status = any(${statuses}::text[])
    group by subject having sum(count) <> 0`.execute(db)
  return rows
}

/** The number of folded changes, at most `limit`. */
export async function foldPlatformChangeRows(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_platform_changes(${limit}) as folded`.execute(tx)
  return rows[0]?.folded ?? 0
}
