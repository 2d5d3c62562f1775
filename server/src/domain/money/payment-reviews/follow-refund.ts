import type { Tx } from "#db/transaction"
import type { PaymentReview } from "./payment-review.ts"
import { updateReview } from "./payment-reviews-repository.ts"

/** Money of a locked review's payment went back: its own refund, or all that there was. */
export async function closeRefundedReview(
  tx: Tx,
  review: PaymentReview,
  { refundId, isWhole }: { refundId: string; isWhole: boolean },
): Promise<void> {
  const isOwn = review.status === "returning" && review.refundId === refundId
  const isOver = isWhole && (review.status === "open" || review.status === "returning")
  if (isOwn || isOver) await updateReview(tx, review.id, { status: "returned" })
}

/** The bank said no to the refund that a locked review waits for: a person decides again. */
export async function reopenReview(tx: Tx, review: PaymentReview, refundId: string): Promise<void> {
  if (review.status !== "returning" || review.refundId !== refundId) return
  await updateReview(tx, review.id, { status: "open", decided_by: null, decided_at: null })
}
