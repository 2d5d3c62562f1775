import type { Selectable, Updateable } from "kysely"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import type { UncreditedPayment, UnmatchedPayment } from "./rules.ts"

type Row = Selectable<Schema["unmatched_payments"]>

export async function lockUnmatchedPaymentRow(tx: Tx, id: string): Promise<UnmatchedPayment | null> {
  const row = await tx.selectFrom("unmatched_payments").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toUnmatchedPayment(row)
}

export async function lockUnmatchedPaymentRowOf(tx: Tx, endToEndId: string): Promise<UnmatchedPayment | null> {
  const row = await tx
    .selectFrom("unmatched_payments")
    .selectAll()
    .where("end_to_end_id", "=", endToEndId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toUnmatchedPayment(row)
}

/** The caller must have locked the row. */
export async function updateUnmatchedPayment(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<Schema["unmatched_payments"]>, "id">,
): Promise<void> {
  await tx.updateTable("unmatched_payments").set(changes).where("id", "=", id).execute()
}

export function toUnmatchedPayment(row: Row): UnmatchedPayment {
  return {
    id: row.id,
    endToEndId: row.end_to_end_id,
    reason: row.reason,
    status: row.status,
    acceptedChargeId: row.accepted_charge_id,
    suggestedChargeId: row.suggested_charge_id,
    refundId: row.refund_id,
    adminNotes: row.admin_notes,
    receivedAt: row.received_at,
    decidedAt: row.decided_at,
  }
}

export async function findUncreditedRows(db: Db, ids: readonly string[]): Promise<Map<string, UncreditedPayment>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom("unmatched_payments").selectAll().where("id", "in", ids).execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        endToEndId: row.end_to_end_id,
        txid: row.txid,
        amountCents: row.amount_cents,
        reason: row.reason,
        paidAt: row.paid_at,
        receivedAt: row.received_at,
        namedChargeId: row.named_charge_id,
      },
    ]),
  )
}
