import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, sql } from "kysely"
import type { Db } from "#db/transaction"
import type { Day } from "#kit/clock"
import type { PostingKind } from "./rules.ts"

interface AccountSum {
  account: string
  balanceCents: Cents
}

/**
 * Balances at the end of a São Paulo day; of today, those of now. Reads each account's last row, and the movements of the last
 * seconds, which are placed as enter_statements_below() will place them.
 */
export async function readAccountSums(
  db: Db,
  lastDay: string,
  accounts: readonly string[] | null,
): Promise<AccountSum[]> {
  const { rows } = await sql<AccountSum>`
    with recursive name (account) as (
      (select account from account_days order by account limit 1)
      union all
      select (select later.account from account_days later where later.account > name.account order by 1 limit 1)
      from name where name.account is not null
    ), mark as materialized (
      select below, closed_until from entered_statements
    ), moved as materialized (
      select * from balance_movements where xid >= (select below from mark) and xid <= '9223372036854775807'
    ), seller as materialized (
      select of.seller_id, last.at, coalesce(last.balance_cents, 0) as balance_cents
      from (select distinct seller_id from moved) of
      left join lateral (
        select at, balance_cents from statement_lines line
        where line.seller_id = of.seller_id order by line.at desc, line.number desc limit 1
      ) last on true
    ), placed as (
      select seller_id, seller.balance_cents, moved.amount_cents - moved.fee_cents as change_cents,
        greatest((select closed_until from mark), seller.at, max(moved.at) over place) as at
      from moved join seller using (seller_id)
      window place as (partition by seller_id order by moved.xid, moved.at, moved.place, moved.reference)
    )
    select account, sum(cents)::bigint as "balanceCents"
    from (
      select wanted.account, last.balance_cents as cents
      from ${accounts === null ? sql`name` : sql`unnest(${[...accounts]}::text[])`} wanted (account)
      cross join lateral (
        select balance_cents from account_days
        where account_days.account = wanted.account and day <= ${lastDay}::date order by day desc limit 1
      ) last
      union all
      select account, change_cents from account_movements
      where xid >= (select below from mark) and xid <= '9223372036854775807'
        and sao_paulo_day(greatest((select closed_until from mark), at)) <= ${lastDay}::date
      union all
      select 'seller-debt', least(balance_cents + sum(change_cents), 0) - least(balance_cents, 0)
      from placed where sao_paulo_day(at) <= ${lastDay}::date group by seller_id, balance_cents
    ) part
    where ${accounts === null ? sql`true` : sql`account = any(${[...accounts]}::text[])`}
    group by account order by account`.execute(db)
  return rows
}

export interface AccountDay {
  day: string
  creditsCents: Cents
  debitsCents: Cents
}

interface SumsQuery {
  account: string
  before: string | null
  limit: number
}

interface AccountDays {
  days: AccountDay[]
  /** At the end of the newest of them; without days, at the end of the last one before `before`. */
  balanceCents: Cents
}

/** Newest first. What sellers come to owe is credited to what they have, whose balance is shown without it. */
export async function readAccountDays(db: Db, { account, before, limit }: SumsQuery): Promise<AccountDays> {
  const owed = account === "seller-available" ? "seller-debt" : null
  const daysOf = (name: string | null) => sql`
    select day, credits_cents, debits_cents, balance_cents from account_days
    where account = ${name}::text and day < ${before ?? "infinity"}::date order by day desc limit ${limit}`
  const { rows } = await sql<AccountDay & { balanceCents: Cents }>`
    with own as materialized (${daysOf(account)}), owed as materialized (${daysOf(owed)})
    select
      to_char(day, 'YYYY-MM-DD') as day, sum(credits)::bigint as "creditsCents", sum(debits)::bigint as "debitsCents",
      coalesce((select balance_cents from own order by own.day desc limit 1), 0)
        - coalesce((select balance_cents from owed order by owed.day desc limit 1), 0) as "balanceCents"
    from (
      select day, credits_cents as credits, debits_cents as debits from own
      union all
      select day, debits_cents, credits_cents from owed
    ) moved
    group by moved.day order by moved.day desc limit ${limit}`.execute(db)
  const days = rows.map(({ day, creditsCents, debitsCents }) => ({ day, creditsCents, debitsCents }))
  return { days, balanceCents: rows[0]?.balanceCents ?? noMoney }
}

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

interface PostingsQuery {
  account: string
  day: Day
  from: Date
  to: Date
  /** The position of a posting. */
  after: string | null
  limit: number
}

interface Range extends PostingsQuery {
  first: string
  last: string
}

/**
 * In the order of their transactions, from the day's first to its last: no table is indexed by the moment of booking, and
 * neighbours in this order stand side by side.
 */
export async function readAccountPostings(db: Db, query: PostingsQuery): Promise<AccountPosting[]> {
  const range = await findRange(db, query)
  if (range === null) return []
  const parts = [ofPayments(range), ofJournal(range)].filter((part) => part !== null)
  const { rows } = await sql<AccountPosting>`
    select xid::text || '.' || number || '.' || reference as position, at, kind, reference, seller_id as "sellerId",
      counter_account as "counterAccount", amount_cents as "amountCents"
    from (${sql.join(parts, sql` union all `)}) posting
    order by posting.xid, posting.number, posting.reference collate "C" limit ${query.limit}`.execute(db)
  return rows
}

async function findRange(db: Db, query: PostingsQuery): Promise<Range | null> {
  const { rows } = await sql<{ first: string; last: string }>`
    select first_xid::text as first, last_xid::text as last from account_days
    where account = ${query.account} and day = ${query.day}::date and first_xid is not null`.execute(db)
  return rows[0] === undefined ? null : { ...query, ...rows[0] }
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
