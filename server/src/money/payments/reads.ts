import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { prepared } from "#db/prepared"
import { bigintList, textList, timestamptzList } from "#db/rows-of"
import { type Db, type OneStatement, oneStatement } from "#db/transaction"
import type { Day } from "#kit/clock"
import { sellerAvailable, sellerBlocked } from "#ledger/accounts"
import { readAvailable, readBalance } from "#ledger/reads"
import { readWithdrawable, readWithdrawables } from "#money/reserves/reads"
import { readReserveRules } from "#platform/settings/reads"
import type { PaymentReceived } from "#psp/psp"
import { type CountedSince, countRowsSince } from "./table.ts"

/** How many payments were paid since then, counted up to `most`, so that the cost stays the same on a busy day. */
export function countPaymentsSince(db: Db, counted: CountedSince): Promise<number> {
  return db.transaction().execute((tx) => countRowsSince(tx, counted))
}

/** The amount that the seller may withdraw now. */
export async function readSellerBalance(db: Db, sellerId: string): Promise<Cents> {
  const balanceCents = await readBalance(db, sellerAvailable(sellerId))
  return readWithdrawable(db, { sellerId, balanceCents }, await readReserveRules(db))
}

/** The seller's money in undecided disputes. */
export async function readSellerBlocked(db: Db, sellerId: string): Promise<Cents> {
  return readBalance(db, sellerBlocked(sellerId))
}

/** Balances of the sellers, in their order. */
export async function readSellerBalances(db: Db, sellerIds: string[]): Promise<Cents[]> {
  const available = await readWithdrawables(db, await readAvailable(db, sellerIds))
  return sellerIds.map((id) => available.get(id) ?? noMoney)
}

export interface DaySummary {
  sellerId: string
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
}

interface SummariesQuery {
  day: Day
  /** The last seller of the page before; null for the first page. */
  after: string | null
  limit: number
}

/** By key over the sellers who chose a daily mail, also those without a payment on that day. */
export async function findSummaries(db: Db, { day, after, limit }: SummariesQuery): Promise<DaySummary[]> {
  const { rows } = await sql<DaySummary>`
    select seller.id as "sellerId", paid.*
    from (
      select id from users
      where payment_mails = 'daily' and active and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${limit}
    ) seller
    cross join lateral (
      select coalesce(sum(count), 0)::bigint as count, coalesce(sum(gross_cents), 0)::bigint as "grossCents",
        coalesce(sum(fee_cents), 0)::bigint as "feeCents", coalesce(sum(net_cents), 0)::bigint as "netCents"
      from paid_day_parts where seller_id = seller.id and day = ${day}
    ) paid
    order by seller.id`.execute(db)
  return rows
}

export interface Payment {
  endToEndId: string
  provider: string
  txid: string | null
  /** The charge named by its txid, credited or not. */
  chargeId: string | null
  amountCents: Cents
  paidAt: Date
  isCredited: boolean
}

export async function findPaymentRow(db: Db, endToEndId: string): Promise<Payment | null> {
  const row = await db.selectFrom("payments").selectAll().where("end_to_end_id", "=", endToEndId).executeTakeFirst()
  if (row === undefined) return null
  return {
    endToEndId: row.end_to_end_id,
    provider: row.provider,
    txid: row.txid,
    chargeId: row.charge_id,
    amountCents: row.amount_cents,
    paidAt: row.paid_at,
    isCredited: row.disposition === "credited",
  }
}

/** The given ids that are booked already. */
export async function findBookedIds(db: Db, endToEndIds: string[]): Promise<Set<string>> {
  if (endToEndIds.length === 0) return new Set()
  const { rows } = await prepared<{ end_to_end_id: string }>("find-booked-ids")`
    select end_to_end_id from payments where end_to_end_id = any(${textList(endToEndIds)})`.execute(db)
  return new Set(rows.map((row) => row.end_to_end_id))
}

/** Everything paid for the charge, unmatched payments included. */
export async function findPaymentIdsOfCharge(db: Db, chargeId: string): Promise<string[]> {
  const { rows } = await sql<{ end_to_end_id: string }>`
    select payment.end_to_end_id from charges charge join payments payment on payment.end_to_end_id = charge.end_to_end_id
    where charge.id = ${chargeId} and payment.charge_id = charge.id and payment.disposition = 'credited'
    union all
    select end_to_end_id from payments where charge_id = ${chargeId} and disposition = 'suspense'`.execute(db)
  return rows.map((row) => row.end_to_end_id)
}

export interface BookingMoments {
  now: Date
  /** When the provider has answered for codes that are still being created on a page that is completed. */
  answeredBy: Date
}

/** The database decides what each payment does, and books those that are new: the rule stands in book_payments alone. */
export function bookPaymentRows(payments: readonly PaymentReceived[], moments: BookingMoments): OneStatement<void> {
  return oneStatement(
    prepared("book-payments")`
    select book_payments(
      ${textList(payments.map(({ endToEndId }) => endToEndId))},
      ${textList(payments.map(({ provider }) => provider))},
      ${textList(payments.map(({ txid }) => txid))},
      ${bigintList(payments.map(({ amountCents }) => amountCents))},
      ${timestamptzList(payments.map(({ paidAt }) => paidAt))},
      ${moments.now},
      ${moments.answeredBy}
    )`,
    () => undefined,
  )
}
