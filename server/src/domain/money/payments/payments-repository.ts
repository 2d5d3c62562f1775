import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { type OneStatement, oneStatement } from "#db/one-statement"
import { prepared } from "#db/prepared"
import { bigintList, textList, timestamptzList } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { PaymentReceived } from "#psp/psp"

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

interface BookingMoments {
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

interface Portion {
  /** About: payments of one transaction are folded together. */
  atMost: number
  /** Fewer are left for later. */
  atLeast: number
}

/** The number of folded payments. */
export async function foldPaymentRows(tx: Tx, { atMost, atLeast }: Portion): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_payments(${atMost}, ${atLeast}) as folded`.execute(tx)
  return rows[0]?.folded ?? 0
}

export interface CountedSince {
  provider: string
  since: Date
  most: number
}

/** With a limit PostgreSQL would rather read the oldest rows of the table than the few blocks that the index names. */
export async function countRowsSince(tx: Tx, { provider, since, most }: CountedSince): Promise<number> {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from payments where provider = ${provider} and paid_at >= ${since} limit ${most}
    ) recent`.execute(tx)
  return rows[0]?.count ?? 0
}
