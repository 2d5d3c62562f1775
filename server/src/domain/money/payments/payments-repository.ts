import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { sql } from "kysely"
import { type OneStatement, oneStatement } from "#db/one-statement"
import { prepared } from "#db/prepared"
import type { NewRow } from "#db/row-types"
import { bigint, bigintList, date, rowsOf, text, textList, timestamptz, timestamptzList, uuid } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { PayableCharge } from "#domain/selling/charges/charges-of-payments"
import { type Cents, noMoney } from "#kit/money"
import type { PaymentReceived } from "#psp/psp"
import type { SettledPayment } from "./settle-payments.ts"

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

const newPayments = rowsOf<SettledPayment, NewRow<"payments", "received_at" | "disposition" | "xid">>("given", {
  end_to_end_id: text(({ received }) => received.endToEndId),
  provider: text(({ received }) => received.provider),
  txid: text(({ received }) => received.txid),
  charge_id: uuid(({ charge }) => charge?.id ?? null),
  seller_id: uuid(({ charge }) => charge?.sellerId ?? null),
  amount_cents: bigint(({ received }) => received.amountCents),
  fee_cents: bigint((settled) => (settled.reason === null ? settled.charge.feeCents : noMoney)),
  paid_at: timestamptz(({ received }) => received.paidAt),
  page_id: uuid((settled) => (settled.reason === null ? settled.uncountedPageId : null)),
  completed_page_id: uuid((settled) => (settled.reason === null ? settled.completedPageId : null)),
  charge_day: date((settled) => (settled.reason === null ? settled.charge.day : null)),
  status_before: text((settled) => (settled.reason === null ? shownStatus(settled.charge) : null)),
  reason: text(({ reason }) => reason),
})

/** A receipt that names a charge. */
export type NamedReceipt = PaymentReceived & { txid: string }

/** The ids of those that were booked, because they ask for no more than to make a pending charge paid. */
export function bookPlainPayments(receipts: readonly NamedReceipt[], now: Date): OneStatement<Set<string>> {
  return oneStatement(
    prepared<{ id: string }>("book-plain-payments")`
    select id from book_payments(
      ${textList(receipts.map(({ endToEndId }) => endToEndId))},
      ${textList(receipts.map(({ provider }) => provider))},
      ${textList(receipts.map(({ txid }) => txid))},
      ${bigintList(receipts.map(({ amountCents }) => amountCents))},
      ${timestamptzList(receipts.map(({ paidAt }) => paidAt))},
      ${now}
    ) as id`,
    (rows) => new Set(rows.map(({ id }) => id)),
  )
}

/** No total has a charge that is being created. */
function shownStatus({ status }: PayableCharge): TransactionStatus | null {
  return status === "creating" ? null : status
}

/** Inserted in the order of ids, like every writer. Returns the new ones. */
export async function insertPaymentsOnce(tx: Tx, payments: SettledPayment[], now: Date): Promise<Set<string>> {
  if (payments.length === 0) return new Set()
  const inOrder = payments.toSorted((a, b) => (a.received.endToEndId < b.received.endToEndId ? -1 : 1))
  const { rows } = await prepared<{ end_to_end_id: string }>("insert-payments-once")`
    insert into payments (${newPayments.columns}, received_at, disposition)
    select ${newPayments.columns}, ${now}, case when reason is null then 'credited' else 'suspense' end
    from ${newPayments.of(inOrder)}
    on conflict (end_to_end_id) do nothing
    returning end_to_end_id`.execute(tx)
  return new Set(rows.map((row) => row.end_to_end_id))
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
