import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"

/** The caller holds the charge's lock, so that the charge has one that waits. */
export async function insertRequest(
  tx: Tx,
  request: { id: string; chargeId: string; sellerId: string; askedBy: string; reason: string; askedAt: Date },
): Promise<void> {
  await tx
    .insertInto("refund_requests")
    .values({
      id: request.id,
      charge_id: request.chargeId,
      seller_id: request.sellerId,
      asked_by: request.askedBy,
      reason: request.reason,
      asked_at: request.askedAt,
    } satisfies NewRow<"refund_requests", "decided_by" | "decided_at" | "refund_id">)
    .execute()
}

export async function decideRequest(
  tx: Tx,
  id: string,
  { by, at, refundId }: { by: string; at: Date; refundId: string | null },
): Promise<void> {
  await tx
    .updateTable("refund_requests")
    .set({ decided_by: by, decided_at: at, refund_id: refundId })
    .where("id", "=", id)
    .execute()
}
