import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, sql } from "kysely"
import type { Db } from "#db/transaction"
import type { Day } from "#kit/sao-paulo-day"
import type { PostingKind } from "./posting-words.ts"

export interface AccountPosting {
  /** The place among the account's postings of the day, for cursors. */
  position: string
  at: Date
  kind: PostingKind
  reference: string
  sellerId: string | null
  /** The other side; all sellers' accounts of a kind are one. */
  counterAccount: string
  /** Below zero when it debits the account; of a payment less its fee. */
  amountCents: Cents
}

interface Wish {
  account: string
  day: Day
  from: Date
  to: Date
  /** The position of a posting. */
  after: string | null
  limit: number
}

interface Range extends Wish {
  first: string
  last: string
}

/**
 * In the order of their transactions, from the day's first to its last: no table is indexed by the moment of booking, and
 * neighbours in this order stand side by side.
 */
export async function readAccountPostings(db: Db, wish: Wish): Promise<AccountPosting[]> {
  const range = await findRange(db, wish)
  if (range === null) return []
  const parts = [ofPayments(range), ofJournal(range)].filter((part) => part !== null)
  const { rows } = await sql<AccountPosting>`
    select xid::text || '.' || number || '.' || reference as position, at, kind, reference, seller_id as "sellerId",
      counter_account as "counterAccount", amount_cents as "amountCents"
    from (${sql.join(parts, sql` union all `)}) posting
    order by posting.xid, posting.number, posting.reference collate "C" limit ${wish.limit}`.execute(db)
  return rows
}

async function findRange(db: Db, wish: Wish): Promise<Range | null> {
  const { rows } = await sql<{ first: string; last: string }>`
    select first_xid::text as first, last_xid::text as last from account_days
    where account = ${wish.account} and day = ${wish.day}::date and first_xid is not null`.execute(db)
  return rows[0] === undefined ? null : { ...wish, ...rows[0] }
}

/** A payment moves the seller's balance by its net. */
function ofPayments(range: Range): RawBuilder<unknown> | null {
  const [word = "", provider] = range.account.split(":")
  const credited = sql`case when disposition = 'credited' then 'seller-available' else 'suspense:' || provider end`
  const clearing = sql`'psp-clearing:' || provider`
  switch (word) {
    case "psp-clearing":
      return payments(range, { where: sql`provider = ${provider}`, amount: sql`-amount_cents`, counter: credited })
    case "seller-available":
      return payments(range, {
        where: sql`disposition = 'credited'`,
        amount: sql`amount_cents - fee_cents`,
        counter: clearing,
      })
    case "fee-revenue":
      return payments(range, { where: sql`fee_cents > 0`, amount: sql`fee_cents`, counter: sql`'seller-available'` })
    case "suspense":
      return paymentsInSuspense(range, sql`provider = ${provider}`)
    default:
      return null
  }
}

interface Side {
  where: RawBuilder<unknown>
  amount: RawBuilder<unknown>
  counter: RawBuilder<unknown>
}

function payments(range: Range, { where, amount, counter }: Side): RawBuilder<unknown> {
  const { xid, number, reference } = placeOf(range)
  return sql`(
    select xid, 0::bigint as number, received_at as at,
      case when disposition = 'credited' then 'payment' else 'unmatched-payment' end as kind, end_to_end_id as reference,
      seller_id, ${counter} as counter_account, ${amount} as amount_cents
    from payments
    where xid >= ${xid}::xid8 and xid <= ${range.last}::xid8 and received_at >= ${range.from} and received_at < ${range.to}
      and ${where} and (xid, 0::bigint, end_to_end_id) > (${xid}::xid8, ${number}::bigint, ${reference}::text collate "C")
    order by xid, end_to_end_id limit ${range.limit}
  )`
}

/** Few among all payments, so the index of those finds them. */
function paymentsInSuspense(range: Range, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const { xid, number, reference } = placeOf(range)
  return sql`(
    with suspended as materialized (
      select xid, received_at, end_to_end_id, provider, amount_cents from payments
      where disposition = 'suspense' and received_at >= ${range.from} and received_at < ${range.to} and ${where}
    )
    select xid, 0::bigint as number, received_at as at, 'unmatched-payment' as kind, end_to_end_id as reference,
      null::uuid as seller_id, 'psp-clearing:' || provider as counter_account, amount_cents
    from suspended
    where xid <= ${range.last}::xid8
      and (xid, 0::bigint, end_to_end_id) > (${xid}::xid8, ${number}::bigint, ${reference}::text collate "C")
    order by xid, end_to_end_id limit ${range.limit}
  )`
}

/** Withdrawals and reserves move these alone; the other accounts' postings stand in an index that leaves those out. */
const movedByWithdrawals = ["psp-clearing", "seller-available", "seller-held", "seller-reserved", "payouts-under-way"]
const besidesWithdrawals = sql`kind not in (
  'withdrawal', 'payout', 'payout-completed', 'reserve-held', 'reserve-drawn', 'reserve-released'
)`

function ofJournal(range: Range): RawBuilder<unknown> {
  const { account } = range
  const { xid, number } = placeOf(range)
  const [word = ""] = account.split(":")
  const names = (side: RawBuilder<unknown>) =>
    account.startsWith("seller-") ? sql`${side} like ${`${account}:%`}` : sql`${side} = ${account}`
  const shown = (side: RawBuilder<unknown>) =>
    sql`case when ${side} like 'seller-%' then split_part(${side}, ':', 1) else ${side} end`
  const [credit, debit] = [sql`credit_account`, sql`debit_account`]
  return sql`(
    select xid, number, booked_at as at, kind, reference, seller_id,
      case when ${names(credit)} then ${shown(debit)} else ${shown(credit)} end as counter_account,
      case when ${names(credit)} then amount_cents else -amount_cents end as amount_cents
    from journal
    where xid >= ${xid}::xid8 and xid <= ${range.last}::xid8 and booked_at >= ${range.from} and booked_at < ${range.to}
      and (${names(credit)} or ${names(debit)}) and (xid, number) > (${xid}::xid8, ${number}::bigint)
      and ${movedByWithdrawals.includes(word) ? sql`true` : besidesWithdrawals}
    order by xid, number limit ${range.limit}
  )`
}

/** The first page begins before everything of the first transaction. */
function placeOf({ after, first }: Range): { xid: string; number: string; reference: string } {
  const [, xid = first, number = "-1", reference = ""] = positionPattern.exec(after ?? "") ?? []
  return { xid, number, reference }
}

const positionPattern = /^(\d+)\.(\d+)\.(.*)$/s
