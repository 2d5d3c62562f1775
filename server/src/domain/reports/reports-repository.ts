import { type RawBuilder, sql } from "kysely"
import { type Days, dayWithin } from "#db/sao-paulo-days"
import type { Db } from "#db/transaction"
import type { Cents } from "#kit/money"

export interface TopSeller {
  seller: { id: string; name: string; email: string }
  grossCents: Cents
  count: number
}

/** As many as are likely to hold the best of any long time. */
const CANDIDATES = 500

/** Sums first and names last: only the winners are looked up. */
export async function findTopSellers(db: Db, days: Days, limit: number): Promise<TopSeller[]> {
  return topOf(db, sql`select * from paid_day_parts where ${dayWithin("day", days)}`, limit)
}

/**
 * Nobody sold more in a part of the time than in all of it, which is kept: so who sold the most ever are looked at
 * first. Null where somebody else might be among the best, because the best of these days sold too little.
 */
export async function findTopAmongBestEver(
  db: Db,
  days: Days,
  limit: number,
  atMost = CANDIDATES,
): Promise<TopSeller[] | null> {
  const { rows: candidates } = await sql<{ id: string; gross: Cents }>`
    select seller_id as id, gross_cents as gross from charge_totals
    where status = 'paid' order by gross_cents desc limit ${atMost}`.execute(db)
  const ids = candidates.map(({ id }) => id)
  const theirDays = sql`select * from paid_day_parts
    where seller_id = any(${ids}::uuid[]) and ${dayWithin("day", days)}`
  const top = await topOf(db, theirDays, limit)
  const mostOfOthers = candidates.length < atMost ? -1 : (candidates.at(-1)?.gross ?? 0)
  const leastOfTop = top.length < limit ? 0 : (top.at(-1)?.grossCents ?? 0)
  return leastOfTop > mostOfOthers ? top : null
}

async function topOf(db: Db, paidDays: RawBuilder<unknown>, limit: number): Promise<TopSeller[]> {
  const { rows } = await sql<{ id: string; name: string; email: string; gross: Cents; count: number }>`
    select seller.id, seller.name, seller.email, best.gross, best.count
    from (
      select seller_id, sum(gross_cents)::bigint as gross, sum(count)::bigint as count
      from (${paidDays}) paid
      group by seller_id having sum(count) > 0
      order by gross desc, count desc, seller_id limit ${limit}
    ) best
    join users seller on seller.id = best.seller_id
    order by best.gross desc, best.count desc, seller.id`.execute(db)
  return rows.map(({ gross, count, ...seller }) => ({ seller, grossCents: gross, count }))
}
