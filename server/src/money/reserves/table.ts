import { sql } from "kysely"
import { bigint, date, type NewRow, rowsOf, uuid } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { Day } from "#kit/clock"
import type { Span } from "./reads.ts"
import type { HeldShare } from "./rules.ts"

/** The next sales whose transactions have all ended, about so many; null while another server holds. */
export async function lockNextSales(tx: Tx, atMost: number): Promise<Span | null> {
  const { rows: marks } = await sql<{ from: string }>`
    select below::text as from from reserve_progress for update skip locked`.execute(tx)
  const [mark] = marks
  if (mark === undefined) return null
  const { rows } = await sql<{ ended: string; last: string | null }>`
    select
      greatest(pg_snapshot_xmin(pg_current_snapshot()), ${mark.from}::xid8)::text as ended,
      (select (xid::text::bigint + 1)::text from (
        select xid from payments where xid >= ${mark.from}::xid8 and xid < pg_snapshot_xmin(pg_current_snapshot())
        order by xid offset ${atMost - 1}::integer limit 1
      ) last) as last`.execute(tx)
  const [{ ended, last }] = rows as [(typeof rows)[number]]
  return { from: mark.from, to: last ?? ended, isFull: last !== null }
}

export async function passSales(tx: Tx, { to }: Span): Promise<void> {
  await sql`update reserve_progress set below = ${to}::xid8`.execute(tx)
}

const newHolds = rowsOf<HeldShare, NewRow<"reserve_holds", "drawn_cents" | "released_at">>("given", {
  seller_id: uuid(({ sellerId }) => sellerId),
  due_on: date(({ dueOn }) => dueOn),
  held_cents: bigint(({ cents }) => cents),
})

/**
 * Returns those that are held now: a day that a clock which was ahead has released already takes no more. Call it under
 * the lock of the balances.
 */
export async function addHolds(tx: Tx, shares: readonly HeldShare[]): Promise<HeldShare[]> {
  const { rows } = await sql<{ name: string }>`
    insert into reserve_holds (${newHolds.columns}) select * from ${newHolds.of(shares)}
    on conflict (seller_id, due_on) do update set held_cents = reserve_holds.held_cents + excluded.held_cents
    where reserve_holds.released_at is null
    returning seller_id || ' ' || due_on as name`.execute(tx)
  const held = new Set(rows.map(({ name }) => name))
  return shares.filter(({ sellerId, dueOn }) => held.has(`${sellerId} ${dueOn}`))
}

/** Ends what is due of these sellers, and returns what each day still held. Call it under the lock of the balances. */
export async function endDue(tx: Tx, sellerIds: readonly string[], today: Day, now: Date): Promise<HeldShare[]> {
  const { rows } = await sql<HeldShare>`
    update reserve_holds set released_at = ${now}
    where seller_id = any(${[...sellerIds]}::uuid[]) and due_on <= ${today}::date and released_at is null
    returning seller_id as "sellerId", to_char(due_on, 'YYYY-MM-DD') as "dueOn", held_cents - drawn_cents as cents`.execute(
    tx,
  )
  return rows
}

export async function drawFrom(tx: Tx, shares: readonly HeldShare[]): Promise<void> {
  await sql`
    update reserve_holds held set drawn_cents = held.drawn_cents + given.held_cents
    from ${newHolds.of(shares)} where held.seller_id = given.seller_id and held.due_on = given.due_on`.execute(tx)
}
