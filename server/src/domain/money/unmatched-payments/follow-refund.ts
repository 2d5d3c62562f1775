import { isUnsettled } from "@tilinta/contract/vocabulary/unmatched-payment-status"
import type { Tx } from "#db/transaction"
import type { UnmatchedPayment } from "./unmatched-payment.ts"
import { updateUnmatchedPayment } from "./unmatched-payments-repository.ts"

/** Closes a locked unmatched payment once its own refund, or all of its money, went back. */
export async function closeRefundedUnmatchedPayment(
  tx: Tx,
  unmatched: UnmatchedPayment,
  { refundId, isWhole }: { refundId: string; isWhole: boolean },
): Promise<void> {
  const isOwn = unmatched.status === "returning" && unmatched.refundId === refundId
  const isOver = isWhole && isUnsettled(unmatched.status)
  if (isOwn || isOver) await updateUnmatchedPayment(tx, unmatched.id, { status: "returned" })
}

/** The bank refused the refund that the locked unmatched payment waits for: an admin decides again. */
export async function reopenUnmatchedPayment(tx: Tx, unmatched: UnmatchedPayment, refundId: string): Promise<void> {
  if (unmatched.status !== "returning" || unmatched.refundId !== refundId) return
  await updateUnmatchedPayment(tx, unmatched.id, { status: "open", decided_by: null, decided_at: null })
}
