import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Db, Tx } from "#db/transaction"
import { isId } from "#kit/ids"

/** Something that was booked and may be corrected. */
interface ReversedEvent {
  /** All names that people know it by. */
  names: string[]
  amountCents: Cents
  sellerId: string | null
}

/** A payment by its endToEndId or its charge, else a withdrawal, refund, dispute or entry by its id. Each by a key. */
export async function findReversedEvent(db: Db, name: string): Promise<ReversedEvent | null> {
  const id = isId(name) ? name : null
  const { rows } = await sql<ReversedEvent>`
    with payment as (
      select end_to_end_id, charge_id, amount_cents, seller_id from payments
      where end_to_end_id in (${name}, (select end_to_end_id from charges where id = ${id}::uuid))
    ), event as (
      select amount_cents, seller_id from payment
      union all
      select sum(amount_cents), min(seller_id::text)::uuid from journal
      where reference in (${name}, (select end_to_end_id from payment)) and kind in (
        'withdrawal', 'withdrawal-returned', 'payout-completed', 'payout-returned', 'refund', 'refund-by-bank',
        'dispute-blocked', 'dispute-released', 'own-payout', 'bank-tariff', 'capital-in', 'bank-yield', 'correction'
      ) or kind = 'payment-accepted' and line = 1 and reference in (${name}, (select end_to_end_id from payment))
      group by kind
      union all
      select amount_cents, seller_id from disputes where id = ${id}::uuid
    )
    select
      array(
        select ${name} union select end_to_end_id from payment
        union select charge_id::text from payment where charge_id is not null
      ) as names,
      max(amount_cents)::bigint as "amountCents", min(seller_id::text)::uuid as "sellerId"
    from event having count(*) > 0`.execute(db)
  return rows[0] ?? null
}

/** Two entries for one event come one after the other. */
export async function lockEvent(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reversal:${name}`}, 0))`.execute(tx)
}

/** The amount of all entries that reverse it, booked or waiting. */
export async function sumReversals(db: Db, names: readonly string[]): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from manual_entries
    where reverses = any(${[...names]}::text[]) and refused_at is null`.execute(db)
  return rows[0]?.cents ?? noMoney
}
