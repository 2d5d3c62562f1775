import type { Selectable, Updateable } from "kysely"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"
import type { PaymentReview } from "./payment-review.ts"

type Row = Selectable<Schema["payment_reviews"]>

export async function insertReviews(
  tx: Tx,
  reviews: Pick<PaymentReview, "id" | "endToEndId" | "reason" | "receivedAt">[],
): Promise<void> {
  if (reviews.length === 0) return
  await tx
    .insertInto("payment_reviews")
    .values(
      reviews.map(({ id, endToEndId, reason, receivedAt }) => ({
        id,
        end_to_end_id: endToEndId,
        reason,
        received_at: receivedAt,
      })),
    )
    .execute()
}

export async function lockReviewRow(tx: Tx, id: string): Promise<PaymentReview | null> {
  const row = await tx.selectFrom("payment_reviews").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toReview(row)
}

export async function lockReviewRowOf(tx: Tx, endToEndId: string): Promise<PaymentReview | null> {
  const row = await tx
    .selectFrom("payment_reviews")
    .selectAll()
    .where("end_to_end_id", "=", endToEndId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toReview(row)
}

/** Of a row that the caller has locked. */
export async function updateReview(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<Schema["payment_reviews"]>, "id">,
): Promise<void> {
  await tx.updateTable("payment_reviews").set(changes).where("id", "=", id).execute()
}

export function toReview(row: Row): PaymentReview {
  return {
    id: row.id,
    endToEndId: row.end_to_end_id,
    reason: row.reason,
    status: row.status,
    acceptedChargeId: row.accepted_charge_id,
    refundId: row.refund_id,
    adminNotes: row.admin_notes,
    receivedAt: row.received_at,
    decidedAt: row.decided_at,
  }
}
