import type { Tx } from "#db/transaction"
import type { PaymentReview } from "./payment-review.ts"
import { lockReviewRowOf } from "./payment-reviews-repository.ts"

/** Before the payment's charge and refunds. Null for a payment that needs no person. */
export async function lockReviewOfPayment(tx: Tx, endToEndId: string): Promise<PaymentReview | null> {
  return lockReviewRowOf(tx, endToEndId)
}
