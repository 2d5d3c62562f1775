import { sql } from "kysely"
import type { NewRow } from "#db/row-types"
import { bigint, date, rowsOf, uuid } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"

export interface Openings {
  sellerId: string
  /** São Paulo calendar day. */
  day: string
  count: number
}

const opened = rowsOf<Openings, NewRow<"page_opening_totals">>("opened", {
  seller_id: uuid(({ sellerId }) => sellerId),
  day: date(({ day }) => day),
  count: bigint(({ count }) => count),
})

export async function addOpenings(tx: Tx, openings: Openings[]): Promise<void> {
  await sql`
    insert into page_opening_totals as total (${opened.columns})
    select ${opened.columns} from ${opened.of(openings)}
    order by seller_id, day
    on conflict (seller_id, day) do update set count = total.count + excluded.count`.execute(tx)
}

export async function sumOpenings(db: Db, sellerId: string, dayFrom: string, dayTo: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from page_opening_totals
    where seller_id = ${sellerId} and day between ${dayFrom}::date and ${dayTo}::date`.execute(db)
  return rows[0]?.count ?? 0
}
