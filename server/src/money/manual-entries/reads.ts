import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, type Selectable, sql } from "kysely"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { postingName } from "#ledger/post-transactions"
import type { ManualEntry } from "./rules.ts"

interface EntryDifference {
  what: string
  expected: string
  found: string
}

/** One statement per check and thus one snapshot each, consistent even next to a running server. */
const checks: RawBuilder<EntryDifference>[] = [
  sql`select 'conta ' || coalesce(account.id, entered.id) || ', em centavos' as what,
      coalesce(entered.cents, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select * from ledger_accounts where kind in ('bank-tariffs', 'capital', 'corrections')) account
    full join (
      select case kind when 'capital_in' then 'capital' when 'correction' then 'corrections' else 'bank-tariffs' end as id,
        sum(case when kind in ('capital_in', 'yield') or direction = 'debit' then amount_cents else -amount_cents end) as cents
      from manual_entries where booked_at is not null and kind <> 'own_payout' group by 1
    ) entered on entered.id = account.id
    where coalesce(entered.cents, 0) <> coalesce(account.balance_cents, 0)`,
  sql`with moved as (
      select seller_id, amount_cents - fee_cents as cents from payments where disposition = 'credited'
      union all
      select charge.seller_id, charge.amount_cents - charge.fee_cents
      from unmatched_payments unmatched join charges charge on charge.id = unmatched.accepted_charge_id
      union all
      select seller_id, fee_cents - amount_cents from refunds where seller_id is not null and status <> 'refused'
      union all
      select seller_id, returned_cents - amount_cents from withdrawals where status not in ('rejected', 'cancelled')
      union all
      select seller_id, -blocked_cents from disputes where seller_id is not null
      union all
      select seller_id, drawn_cents - held_cents from reserve_holds where released_at is null
      union all
      select seller_id, case direction when 'credit' then amount_cents else -amount_cents end
      from manual_entries where kind = 'correction' and booked_at is not null
    )
    select 'conta ' || coalesce(account.id, own.id) || ', pelos acontecimentos, em centavos' as what,
      coalesce(own.cents, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select * from ledger_accounts where kind = 'seller-available') account
    full join (
      select 'seller-available:' || seller_id as id, sum(cents) as cents from moved group by seller_id
    ) own on own.id = account.id
    where coalesce(own.cents, 0) <> coalesce(account.balance_cents, 0)`,
  sql`with entry as (
      select id,
        case kind when 'correction' then kind when 'yield' then 'bank-yield' else replace(kind, '_', '-') end as kind,
        id::text as reference, 1 as line, amount_cents,
        case kind when 'own_payout' then 'fee-revenue' when 'bank_tariff' then 'bank-tariffs'
          when 'correction' then case direction when 'credit' then 'corrections' else 'seller-available:' || seller_id end
          else 'psp-clearing:' || provider end as debit_account,
        case kind when 'capital_in' then 'capital' when 'yield' then 'bank-tariffs'
          when 'correction' then case direction when 'debit' then 'corrections' else 'seller-available:' || seller_id end
          else 'psp-clearing:' || provider end as credit_account
      from manual_entries where booked_at is not null
    ), posting as (
      select * from journal where kind in ('own-payout', 'bank-tariff', 'capital-in', 'bank-yield', 'correction')
    )
    select coalesce(${postingName("posting")}, 'manual_entries id=' || entry.id || ' (' || entry.kind || ')') as what,
      coalesce(entry.debit_account || ' / ' || entry.credit_account || ' / ' || entry.amount_cents,
        'um lançamento manual') as expected,
      coalesce(posting.debit_account || ' / ' || posting.credit_account || ' / ' || posting.amount_cents, 'nenhum') as found
    from entry full join posting using (kind, reference, line)
    where (entry.debit_account, entry.credit_account, entry.amount_cents)
      is distinct from (posting.debit_account, posting.credit_account, posting.amount_cents)`,
]

export async function findEntryDifferences(db: Db): Promise<EntryDifference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}

export async function findEntry(db: Db, id: string): Promise<ManualEntry | null> {
  const row = await db.selectFrom("manual_entries").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toEntry(row)
}

/** Newest first; ids are in the order of time. */
export async function findEntries(
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<ManualEntry[]> {
  const rows = await db
    .selectFrom("manual_entries")
    .selectAll()
    .$if(after !== null, (query) => query.where("id", "<", after))
    .orderBy("id", "desc")
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

export function toEntry(row: Selectable<Schema["manual_entries"]>): ManualEntry {
  return {
    id: row.id,
    kind: row.kind,
    direction: row.direction,
    amountCents: row.amount_cents,
    provider: row.provider,
    sellerId: row.seller_id,
    reason: row.reason,
    reference: row.reference,
    reverses: row.reverses,
    createdBy: row.created_by,
    createdAt: row.created_at,
    approvedBy: row.approved_by,
    bookedAt: row.booked_at,
    refusedBy: row.refused_by,
    refusedAt: row.refused_at,
    mac: row.mac,
  }
}

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

/** The amount of all entries that reverse it, booked or waiting. */
export async function sumReversals(db: Db, names: readonly string[]): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from manual_entries
    where reverses = any(${[...names]}::text[]) and refused_at is null`.execute(db)
  return rows[0]?.cents ?? noMoney
}
