import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { momentWithin } from "#db/list-range"
import type { Db } from "#db/transaction"
import { type Day, daysAfter } from "#kit/clock"
import type { StatementEntry } from "./parse.ts"
import { type Debit, nobodysDebits, type Outgoing, type Payable } from "./rules.ts"

/**
 * Withdrawals that people pay by hand: all that is open, and what was paid around these days, or marked as paid a month
 * later. What the bank is asked to pay, and what came back, explains its debit as well, and lends it to no other; nor
 * does what was given back as unpaid, which explains none.
 */
export async function findPayables(db: Db, { from, to }: { from: Day; to: Day }): Promise<Payable[]> {
  const aroundThem = momentWithin("withdrawal.processed_at", { dayFrom: daysAfter(from, -3), dayTo: daysAfter(to, 3) })
  const laterToo = momentWithin("withdrawal.processed_at", { dayFrom: daysAfter(from, -3), dayTo: daysAfter(to, 31) })
  const madeThen = momentWithin("made.made_at", { dayFrom: daysAfter(from, -3), dayTo: daysAfter(to, 3) })
  const { rows } = await sql<Omit<Payable, "bankIds"> & { bankId: string | null; endToEndId: string | null }>`
    with returned as (
      select line.withdrawal_id from remittances made join remittance_entries line on line.sequence = made.sequence
      where line.state = 'returned' and ${sql.join(madeThen, sql` and `)}
    )
    select withdrawal.id, withdrawal.amount_cents as "amountCents", seller.name as "sellerName",
      withdrawal.pix_key as "pixKey", withdrawal.status <> 'approved' as "isPaid", payout.bank_id as "bankId",
      withdrawal.end_to_end_id as "endToEndId",
      withdrawal.status = 'rejected' and withdrawal.returned_cents = 0
        and withdrawal.id <> all(array(select withdrawal_id from returned)) as "isGivenBack",
      sao_paulo_day(coalesce(withdrawal.approved_at, withdrawal.processed_at))::text as since,
      sao_paulo_day(coalesce(
        withdrawal.processed_at, greatest(payout.claimed_at, remittance.made_at, withdrawal.sent_at), withdrawal.approved_at
      ))::text as day
    from withdrawals withdrawal
    join users seller on seller.id = withdrawal.seller_id
    left join hand_payouts payout on payout.withdrawal_id = withdrawal.id
    left join remittance_entries entry on entry.withdrawal_id = withdrawal.id and entry.state = 'sent'
    left join remittances remittance on remittance.sequence = entry.sequence
    where (withdrawal.status = 'approved' and (withdrawal.method = 'bank_transfer' or withdrawal.next_attempt_at is null))
      or (withdrawal.status = 'processing' and withdrawal.sent_at is not null)
      or (withdrawal.status = 'rejected' and withdrawal.returned_cents > 0 and ${sql.join(laterToo, sql` and `)})
      or withdrawal.id = any(array(select withdrawal_id from returned))
      or (
        withdrawal.status = 'rejected' and withdrawal.returned_at is not null
        and withdrawal.created_at >= ${from}::date - 33 and ${sql.join(aroundThem, sql` and `)}
      )
      or (withdrawal.status = 'completed' and ${sql.join(aroundThem, sql` and `)})
      or (withdrawal.status = 'completed' and withdrawal.sent_at is null and ${sql.join(laterToo, sql` and `)})`.execute(
    db,
  )
  return rows.map(({ bankId, endToEndId, ...payable }) => ({
    ...payable,
    bankIds: [...new Set([bankId, endToEndId])].filter((each) => each !== null),
  }))
}

/** Null when no such file was imported. */
export async function findStatementDebits(db: Db, statementId: string): Promise<Set<string> | null> {
  const { rows } = await sql<{ ids: string[] }>`
    select array(select id::text from bank_debits where key = any(statement.debit_keys)) as ids
    from bank_statements statement where statement.id = ${statementId}`.execute(db)
  return rows[0] === undefined ? null : new Set(rows[0].ids)
}

/** Those of these keys, in no order. */
export async function findDebits(db: Db, keys: readonly string[]): Promise<(Debit & { key: string })[]> {
  const { rows } = await sql<Debit & { key: string }>`
    select id, key, day::text as day, amount_cents as "amountCents", text, withdrawal_id as "withdrawalId"
    from bank_debits where key = any(${[...keys]}::text[])`.execute(db)
  return rows
}

/** All debits of the files in which these stand, so that what was likely then is judged by the same neighbours. */
export async function findNeighbours(db: Db, ids: readonly string[]): Promise<Debit[]> {
  const { rows } = await sql<Debit>`
    select id, day::text as day, amount_cents as "amountCents", text, withdrawal_id as "withdrawalId"
    from bank_debits debit
    where day between (select min(day) - 3 from bank_debits where id = any(${[...ids]}::uuid[]))
      and (select max(day) + 3 from bank_debits where id = any(${[...ids]}::uuid[]))
    order by day, id`.execute(db)
  return rows
}

/** The ids of this day's debits that nothing of ours explains. */
export async function findNobodysDebits(db: Db, day: Day): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from bank_debits where day = ${day}::date`.execute(db)
  if (rows.length === 0) return []
  const debits = await findNeighbours(
    db,
    rows.map(({ id }) => id),
  )
  const days = { from: daysAfter(day, -4), to: daysAfter(day, 4) }
  const others = await findOtherOutgoing(db, days)
  const nobodys = nobodysDebits(debits, await findPayables(db, days), others)
  return nobodys.flatMap((debit) => (debit.day === day ? debit.id : []))
}

/** Entries that people make come up to a month after the debit. */
async function findOtherOutgoing(db: Db, { from, to }: { from: Day; to: Day }): Promise<Outgoing[]> {
  const { rows } = await sql<Outgoing>`
    select amount_cents as "amountCents", (day - before)::text as "from", (day + 1)::text as "to" from (
      select amount_cents, 1 as before, sao_paulo_day(settled_at) as day from refunds
      where status = 'completed' and settled_at >= ${from}::date - 1 and settled_at < ${to}::date + 2
      union all
      select amount_cents, 31, sao_paulo_day(booked_at) from manual_entries
      where kind in ('own_payout', 'bank_tariff')
        and booked_at >= ${from}::date - 1 and booked_at < ${to}::date + 33
    ) movement`.execute(db)
  return rows
}

interface PaidIn {
  endToEndId: string
  amountCents: Cents
  day: Day
}

/** Payments that the API told of, around the days of these credits. */
async function findPaidIn(db: Db, credits: readonly StatementEntry[]): Promise<PaidIn[]> {
  const days = credits.map(({ day }) => day).toSorted()
  const { rows } = await sql<PaidIn>`
    select end_to_end_id as "endToEndId", amount_cents as "amountCents", sao_paulo_day(paid_at)::text as day
    from payments where paid_at >= ${days[0]}::date - 2 and paid_at < ${days.at(-1)}::date + 3
      and amount_cents = any(${credits.map(({ amountCents }) => amountCents)}::bigint[])`.execute(db)
  return rows
}

/** Credits of which the API never told: by their endToEndId where they have one, else by amount and day, each payment once. */
export async function findUntoldCredits(db: Db, credits: readonly StatementEntry[]): Promise<StatementEntry[]> {
  if (credits.length === 0) return []
  const left = new Map((await findPaidIn(db, credits)).map((paid) => [paid.endToEndId, paid]))
  const isKnown = (credit: StatementEntry) => {
    const named = /(?<![0-9A-Za-z])E\d{20}[0-9A-Za-z]{11}(?![0-9A-Za-z])/.exec(credit.text)?.[0]
    if (named !== undefined) return left.delete(named)
    const alike = [...left.values()].find(
      ({ amountCents, day }) =>
        amountCents === credit.amountCents && Math.abs(Date.parse(day) - Date.parse(credit.day)) <= 86_400_000,
    )
    return alike !== undefined && left.delete(alike.endToEndId)
  }
  return credits.filter((credit) => !isKnown(credit))
}
