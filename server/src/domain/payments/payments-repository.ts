import { sql } from "kysely"
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
  const { rows } = await sql<{ end_to_end_id: string }>`
    select end_to_end_id from payments where end_to_end_id = any(${endToEndIds}::text[])`.execute(db)
  return new Set(rows.map((row) => row.end_to_end_id))
}

/** Of all that was paid for the charge, also what waits in suspense. */
export async function findPaymentIdsOfCharge(db: Db, chargeId: string): Promise<string[]> {
  const rows = await db.selectFrom("payments").select("end_to_end_id").where("charge_id", "=", chargeId).execute()
  return rows.map((row) => row.end_to_end_id)
}

/** In the order of their ids, as every writer does. Answers those that were not there before. */
export async function insertPaymentsOnce(tx: Tx, payments: SettledPayment[], now: Date): Promise<Set<string>> {
  if (payments.length === 0) return new Set()
  const inOrder = payments.toSorted((a, b) => (a.received.endToEndId < b.received.endToEndId ? -1 : 1))
  const rows = await tx
    .insertInto("payments")
    .values(
      inOrder.map(({ received, charge, reason }) => ({
        end_to_end_id: received.endToEndId,
        provider: received.provider,
        txid: received.txid,
        charge_id: charge?.id ?? null,
        seller_id: charge?.sellerId ?? null,
        amount_cents: received.amountCents,
        paid_at: received.paidAt,
        received_at: now,
        disposition: reason === null ? ("credited" as const) : ("suspense" as const),
        reason,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("end_to_end_id")
    .execute()
  return new Set(rows.map((row) => row.end_to_end_id))
}
