import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { NewRow } from "#db/row-types"
import { bigint, date, rowsOf, uuid } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { ReserveRules } from "#domain/platform/settings/read-setting"
import type { Day } from "#kit/sao-paulo-day"

/** Money of one seller that is due on one day. */
export interface Part {
  sellerId: string
  dueOn: Day
  cents: Cents
}

/** From a transaction on, and before another. */
interface Span {
  from: string
  to: string
  /** More sales may come after it. */
  isFull: boolean
}

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

/** The net of a sale that waits, half up to the centavo: the whole of it, or a part. */
const waitingOf = (net: ReturnType<typeof sql>, { settlementDays, reserveBasisPoints }: ReserveRules) =>
  settlementDays > 0 ? net : sql`(${net} * ${reserveBasisPoints}::bigint + 5000) / 10000`

/** All parts of these sales that are due after this day. */
export async function sumParts(tx: Tx, { from, to }: Span, rules: ReserveRules, today: Day): Promise<Part[]> {
  const { settlementDays, reserveBasisPoints, reserveDays } = rules
  const { rows } = await sql<Part>`
    with sale as materialized (
      select seller_id, sao_paulo_day(min(at)) as day, sum(amount_cents - fee_cents)::bigint as net
      from balance_movements
      where xid >= ${from}::xid8 and xid < ${to}::xid8 and kind in ('payment', 'payment-accepted')
      group by seller_id, reference
    ), split as (
      select seller_id, day, net, (net * ${reserveBasisPoints}::bigint + 5000) / 10000 as reserve from sale
    ), part as (
      select seller_id, day + ${Math.max(settlementDays, reserveDays)}::integer as due_on, reserve as cents from split
      union all
      select seller_id, day + ${settlementDays}::integer, net - reserve from split
    )
    select seller_id as "sellerId", to_char(due_on, 'YYYY-MM-DD') as "dueOn", sum(cents)::bigint as cents
    from part where due_on > ${today}::date and cents > 0
    group by seller_id, due_on order by seller_id, due_on`.execute(tx)
  return rows
}

/** The waiting parts of sales that are not in seller-reserved yet: those of the last seconds. */
export async function sumUnheld(
  db: Db,
  sellerIds: readonly string[],
  rules: ReserveRules,
): Promise<Map<string, Cents>> {
  const since = sql`xid >= (select below from reserve_progress) and xid <= '9223372036854775807'`
  const { rows } = await sql<{ sellerId: string; cents: Cents }>`
    select seller.id as "sellerId", sum(${waitingOf(sql`sale.net`, rules)})::bigint as cents
    from unnest(${[...sellerIds]}::uuid[]) seller (id)
    cross join lateral (
      select amount_cents - fee_cents as net from payments
      where seller_id = seller.id and charge_day is not null and ${since}
      union all
      select sum(case when credit_account like 'seller-available:%' then amount_cents else -amount_cents end)::bigint
      from journal where kind = 'payment-accepted' and seller_id = seller.id and ${since}
      group by reference
      offset 0
    ) sale
    group by seller.id`.execute(db)
  return new Map(rows.map(({ sellerId, cents }) => [sellerId, cents]))
}

const newHolds = rowsOf<Part, NewRow<"reserve_holds", "drawn_cents" | "released_at">>("given", {
  seller_id: uuid(({ sellerId }) => sellerId),
  due_on: date(({ dueOn }) => dueOn),
  held_cents: bigint(({ cents }) => cents),
})

/**
 * Returns those that are held now: a day that a clock which was ahead has released already takes no more. Call it under
 * the lock of the balances.
 */
export async function addHolds(tx: Tx, parts: readonly Part[]): Promise<Part[]> {
  const { rows } = await sql<{ name: string }>`
    insert into reserve_holds (${newHolds.columns}) select * from ${newHolds.of(parts)}
    on conflict (seller_id, due_on) do update set held_cents = reserve_holds.held_cents + excluded.held_cents
    where reserve_holds.released_at is null
    returning seller_id || ' ' || due_on as name`.execute(tx)
  const held = new Set(rows.map(({ name }) => name))
  return parts.filter(({ sellerId, dueOn }) => held.has(`${sellerId} ${dueOn}`))
}

/** The sellers with money that is due by now, by their ids. */
export async function findDueSellers(db: Db, today: Day, atMost: number): Promise<string[]> {
  const { rows } = await sql<{ sellerId: string }>`
    select distinct seller_id as "sellerId" from (
      select seller_id from reserve_holds where released_at is null and due_on <= ${today}::date
      order by due_on, seller_id limit ${atMost}
    ) due order by 1`.execute(db)
  return rows.map(({ sellerId }) => sellerId)
}

/** Ends what is due of these sellers, and returns what each day still held. Call it under the lock of the balances. */
export async function endDue(tx: Tx, sellerIds: readonly string[], today: Day, now: Date): Promise<Part[]> {
  const { rows } = await sql<Part>`
    update reserve_holds set released_at = ${now}
    where seller_id = any(${[...sellerIds]}::uuid[]) and due_on <= ${today}::date and released_at is null
    returning seller_id as "sellerId", to_char(due_on, 'YYYY-MM-DD') as "dueOn", held_cents - drawn_cents as cents`.execute(
    tx,
  )
  return rows
}

/** The rest that each of the seller's days holds, the last day first. Call it under the lock of the balances. */
export async function listHeld(tx: Tx, sellerId: string): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select seller_id as "sellerId", to_char(due_on, 'YYYY-MM-DD') as "dueOn", held_cents - drawn_cents as cents
    from reserve_holds where seller_id = ${sellerId} and released_at is null and held_cents > drawn_cents
    order by due_on desc`.execute(tx)
  return rows
}

export async function drawFrom(tx: Tx, parts: readonly Part[]): Promise<void> {
  await sql`
    update reserve_holds held set drawn_cents = held.drawn_cents + given.held_cents
    from ${newHolds.of(parts)} where held.seller_id = given.seller_id and held.due_on = given.due_on`.execute(tx)
}
