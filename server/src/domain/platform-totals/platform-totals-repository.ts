import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { sql } from "kysely"
import { type Days, dayWithin } from "#db/sao-paulo-days"
import type { Db, Tx } from "#db/transaction"
import type { Cents } from "#kit/money"

/** A charge counts on the day that it was created and, while it is paid, on the day of its payment too. */
export type ChargeSubject = "charge-created" | "charge-paid"

export interface PlatformTotals {
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
  refundedCents: Cents
}

const sums = sql`sum(count)::bigint as count, sum(gross_cents)::bigint as "grossCents",
  sum(fee_cents)::bigint as "feeCents", sum(net_cents)::bigint as "netCents",
  sum(refunded_cents)::bigint as "refundedCents"`

export type StatusTotals = PlatformTotals & { status: TransactionStatus }

export async function readStatusTotals(db: Db, subject: ChargeSubject, days: Days): Promise<StatusTotals[]> {
  const { rows } = await sql<StatusTotals>`
    select status, ${sums} from platform_day_totals
    where subject = ${subject} and ${dayWithin("day", days)}
    group by status`.execute(db)
  return rows
}

export async function readDayTotals(
  db: Db,
  subject: ChargeSubject,
  days: Days,
): Promise<(PlatformTotals & { day: string })[]> {
  const { rows } = await sql<PlatformTotals & { day: string }>`
    select day, ${sums} from platform_day_totals
    where subject = ${subject} and ${dayWithin("day", days)}
    group by day order by day`.execute(db)
  return rows
}

export async function readPageCounts(db: Db): Promise<{ status: ChargePageStatus; count: number }[]> {
  const { rows } = await sql<{ status: ChargePageStatus; count: number }>`
    select status, sum(count)::bigint as count from platform_day_totals where subject = 'charge-page' group by status`.execute(
    db,
  )
  return rows
}

/** Answers how many there were, at most `limit`. */
export async function foldChanges(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_platform_changes(${limit}) as folded`.execute(tx)
  return rows[0]?.folded ?? 0
}
