import type { Cents } from "@tilinta/contract/vocabulary/money"
import { failedStatuses, paidStatuses } from "@tilinta/contract/vocabulary/transaction-status"
import { sql } from "kysely"
import { wordList } from "#db/sql-part"
import type { Db } from "#db/transaction"

export interface SalesDay {
  /** São Paulo calendar day. */
  day: string
  count: number
  /** Less what was given back, as the net. */
  grossCents: Cents
  netCents: Cents
}

interface DaysOfSeller {
  sellerId: string
  dayFrom: string
  dayTo: string
}

/** One row per day, oldest first, including days without sales. The days are read as one range, not one by one. */
export async function readSalesDays(db: Db, { sellerId, dayFrom, dayTo }: DaysOfSeller): Promise<SalesDay[]> {
  const { rows } = await sql<SalesDay>`
    with total as materialized (
      select day, count, gross_cents - refunded_cents as gross_cents,
        net_cents - (refunded_cents - refunded_fee_cents) as net_cents
      from paid_day_totals
      where seller_id = ${sellerId} and day between ${dayFrom}::date and ${dayTo}::date
    )
    select
      to_char(calendar.day, 'YYYY-MM-DD') as day, coalesce(total.count, 0)::bigint as count,
      coalesce(total.gross_cents, 0)::bigint as "grossCents", coalesce(total.net_cents, 0)::bigint as "netCents"
    from generate_series(${dayFrom}::date, ${dayTo}::date, interval '1 day') calendar (day)
    left join total on total.day = calendar.day::date
    order by calendar.day`.execute(db)
  return rows
}

/** Among the charges created on these days, the number that got a code and the number that were paid. */
export async function readConversion(
  db: Db,
  { sellerId, dayFrom, dayTo }: DaysOfSeller,
): Promise<{ generated: number; paid: number }> {
  const { rows } = await sql<{ generated: number; paid: number }>`
    select
      coalesce(sum(count) filter (where status not in ${wordList(failedStatuses)}), 0)::bigint as generated,
      coalesce(sum(count) filter (where status in ${wordList(paidStatuses)}), 0)::bigint as paid
    from charge_day_totals
    where seller_id = ${sellerId} and day between ${dayFrom}::date and ${dayTo}::date`.execute(db)
  return rows[0] ?? { generated: 0, paid: 0 }
}
