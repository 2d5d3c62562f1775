import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, sql } from "kysely"
import { type Days, dayWithin } from "#db/list-range"
import { lookup } from "#db/prepared"
import type { Db } from "#db/transaction"

export interface TopSeller {
  seller: { id: string; name: string; email: string }
  grossCents: Cents
  count: number
}

const onlyTop = ({ seller, grossCents, count }: TopSeller): TopSeller => ({ seller, grossCents, count })

/** Adds up every seller with sales on these days. */
export async function findTopSellers(db: Db, days: Days, limit: number): Promise<TopSeller[]> {
  const top = await withNames(
    db,
    sql`select seller_id, sum(gross_cents)::bigint as gross, sum(count)::bigint as count
      from paid_day_parts where ${dayWithin("day", days)} group by seller_id having sum(count) > 0`,
    limit,
  )
  return top.map(onlyTop)
}

/**
 * Exact from the first of a month to one of its days: sellers with sales since the last fold, or on the month's other
 * days, are added up; of all others the best come from the ranking's index.
 */
export async function findTopOfMonth(
  db: Db,
  { dayFrom, dayTo, lastDay }: { dayFrom: string; dayTo: string; lastDay: string },
  limit: number,
): Promise<TopSeller[]> {
  const inPeriod = sql`day between ${dayFrom}::date and ${dayTo}::date`
  const others = sql`day > ${dayTo}::date and day <= ${lastDay}::date`
  const top = await withNames(
    db,
    sql`with changed as materialized (
      select seller_id, sum(gross_cents)::bigint as gross, sum(count)::bigint as count
      from (
        select seller_id, gross_cents, count from unfolded_paid_days where ${inPeriod}
        union all
        select seller_id, -gross_cents, -count from kept_paid_day_totals where ${others}
      ) change
      group by seller_id
    )
    select seller_id, gross, count
    from (
      (
        select total.seller_id, total.gross_cents as gross, total.count
        from seller_month_totals total
        where total.month = ${dayFrom}::date
          and not exists (
            select from unfolded_paid_days unfolded where unfolded.seller_id = total.seller_id and ${inPeriod} offset 0
          )
          and not exists (
            select from kept_paid_day_totals kept where kept.seller_id = total.seller_id and ${others} offset 0
          )
        order by total.gross_cents desc, total.count desc, total.seller_id limit ${limit}
      )
      union all
      select changed.seller_id, changed.gross + coalesce(total.gross_cents, 0), changed.count + coalesce(total.count, 0)
      from changed
      left join seller_month_totals total
        on ${lookup("total.seller_id", "changed.seller_id")} and total.month = ${dayFrom}::date
    ) sold
    where count > 0`,
    limit,
  )
  return top.map(onlyTop)
}

export interface Period {
  dayFrom: string
  dayTo: string
}

export interface LongPeriod extends Period {
  /** The first day of its first whole month. */
  monthFrom: string
  /** The first day after its last one. */
  monthTo: string
}

/**
 * Nobody sold more in a part of the time than in all of it, which is kept: so the best sellers ever are candidates, and
 * every seller with sales since the last fold. Null when another seller might be among the best, because the best of
 * these days sold too little.
 */
export async function findTopAmongBestEver(
  db: Db,
  { dayFrom, monthFrom, monthTo, dayTo }: LongPeriod,
  limit: number,
  atMost: number,
): Promise<TopSeller[] | null> {
  const isCandidate = sql`seller_id = any(array(select candidate.seller_id from candidate))`
  const top = await withNames<{ candidates: number; mostOfOthers: Cents }>(
    db,
    sql`with best as materialized (
      select seller_id, gross_cents from kept_charge_totals
      where status = 'paid' order by gross_cents desc, seller_id limit ${atMost}
    ), candidate as materialized (
      select seller_id from best union select seller_id from unfolded_paid_days
    )
    select seller_id, sum(gross_cents)::bigint as gross, sum(count)::bigint as count,
      (select count(*) from best) as candidates, (select min(gross_cents) from best) as "mostOfOthers"
    from (
      select seller_id, gross_cents, count from seller_month_totals
      where ${isCandidate} and month >= ${monthFrom}::date and month < ${monthTo}::date
      union all
      select seller_id, gross_cents, count from kept_paid_day_totals
      where ${isCandidate} and day >= ${dayFrom}::date and day < ${monthFrom}::date
      union all
      select seller_id, gross_cents, count from kept_paid_day_totals
      where ${isCandidate} and day >= ${monthTo}::date and day <= ${dayTo}::date
      union all
      select seller_id, gross_cents, count from unfolded_paid_days where ${dayWithin("day", { dayFrom, dayTo })}
    ) part
    group by seller_id having sum(count) > 0`,
    limit,
  )
  const last = top.at(-1)
  if (last === undefined) return null
  const isSure = last.candidates < atMost || (top.length === limit && last.grossCents > last.mostOfOthers)
  return isSure ? top.map(onlyTop) : null
}

/** Computes sums before joining names, so that only the winners are looked up. */
async function withNames<Extra = object>(
  db: Db,
  sums: RawBuilder<unknown>,
  limit: number,
): Promise<(TopSeller & Extra)[]> {
  type Row = Extra & TopSeller["seller"] & { seller_id: string; gross: Cents; count: number }
  const { rows } = await sql<Row>`
    select best.*, seller.id, seller.name, seller.email
    from (${sums} order by gross desc, count desc, seller_id limit ${limit}) best
    join users seller on seller.id = best.seller_id
    order by best.gross desc, best.count desc, seller.id`.execute(db)
  return rows.map((row) => ({
    ...row,
    seller: { id: row.id, name: row.name, email: row.email },
    grossCents: row.gross,
  }))
}
