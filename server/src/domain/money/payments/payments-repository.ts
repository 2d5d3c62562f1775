import { sql } from "kysely"
import { arrayLiteral } from "#db/array-literal"
import type { Db, Tx } from "#db/transaction"
import type { Cents } from "#kit/money"
import type { SettledPayment } from "./settle-payments.ts"

export interface Payment {
  endToEndId: string
  provider: string
  txid: string | null
  /** The charge that its txid names, credited or not. */
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

/** Of these ids, those that are booked already. */
export async function findBookedIds(db: Db, endToEndIds: string[]): Promise<Set<string>> {
  if (endToEndIds.length === 0) return new Set()
  const { rows } = await sql<{ end_to_end_id: string }>`/* prepared find-booked-ids */
    select end_to_end_id from payments where end_to_end_id = any(${arrayLiteral(endToEndIds)}::text[])`.execute(db)
  return new Set(rows.map((row) => row.end_to_end_id))
}

/** Everything paid for the charge, unmatched payments included. */
export async function findPaymentIdsOfCharge(db: Db, chargeId: string): Promise<string[]> {
  const rows = await db.selectFrom("payments").select("end_to_end_id").where("charge_id", "=", chargeId).execute()
  return rows.map((row) => row.end_to_end_id)
}

/** In the order of their ids, as every writer does. Answers those that were not there before. */
export async function insertPaymentsOnce(tx: Tx, payments: SettledPayment[], now: Date): Promise<Set<string>> {
  if (payments.length === 0) return new Set()
  const inOrder = payments.toSorted((a, b) => (a.received.endToEndId < b.received.endToEndId ? -1 : 1))
  const { rows } = await sql<{ end_to_end_id: string }>`/* prepared insert-payments-once */
    insert into payments (
      end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, received_at, disposition, reason
    )
    select end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, ${now},
      case when reason is null then 'credited' else 'suspense' end, reason
    from unnest(
      ${arrayLiteral(inOrder.map(({ received }) => received.endToEndId))}::text[],
      ${arrayLiteral(inOrder.map(({ received }) => received.provider))}::text[],
      ${arrayLiteral(inOrder.map(({ received }) => received.txid))}::text[],
      ${arrayLiteral(inOrder.map(({ charge }) => charge?.id ?? null))}::uuid[],
      ${arrayLiteral(inOrder.map(({ charge }) => charge?.sellerId ?? null))}::uuid[],
      ${arrayLiteral(inOrder.map(({ received }) => received.amountCents))}::bigint[],
      ${arrayLiteral(inOrder.map(({ received }) => received.paidAt))}::timestamptz[],
      ${arrayLiteral(inOrder.map(({ reason }) => reason))}::text[]
    ) given (end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, reason)
    on conflict (end_to_end_id) do nothing
    returning end_to_end_id`.execute(tx)
  return new Set(rows.map((row) => row.end_to_end_id))
}
