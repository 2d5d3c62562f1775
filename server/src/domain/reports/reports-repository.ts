import { sql } from "kysely"
import { type Days, dayWithin } from "#db/sao-paulo-days"
import type { Db } from "#db/transaction"
import type { Cents } from "#kit/money"

export interface TopSeller {
  seller: { id: string; name: string; email: string }
  grossCents: Cents
  count: number
}

/** Sums first and names last: only the winners are looked up. */
export async function findTopSellers(db: Db, days: Days, limit: number): Promise<TopSeller[]> {
  const { rows } = await sql<{ id: string; name: string; email: string; gross: Cents; count: number }>`
    select seller.id, seller.name, seller.email, best.gross, best.count
    from (
      select seller_id, sum(gross_cents)::bigint as gross, sum(count)::bigint as count
      from paid_day_totals where ${dayWithin("day", days)}
      group by seller_id having sum(count) > 0
      order by gross desc, count desc, seller_id limit ${limit}
    ) best
    join users seller on seller.id = best.seller_id
    order by best.gross desc, best.count desc, seller.id`.execute(db)
  return rows.map(({ gross, count, ...seller }) => ({ seller, grossCents: gross, count }))
}
