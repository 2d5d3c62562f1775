import type { Tx } from "#db/transaction"
import { findPayment, type Payment } from "#domain/money/payments/find-payment"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import type { PaymentReview } from "./payment-review.ts"
import { lockReviewRow } from "./payment-reviews-repository.ts"

/** Of any number of people who decide at once, one gets it open. */
export async function lockOpenReview(tx: Tx, id: string): Promise<{ review: PaymentReview; payment: Payment }> {
  const review = isId(id) ? await lockReviewRow(tx, id) : null
  if (review === null) throw new DomainError("unmatched_payment_not_found")
  if (review.status !== "open") throw new DomainError("unmatched_payment_resolved")
  const payment = await findPayment(tx, review.endToEndId)
  invariant(payment !== null, `review ${id} has no payment`)
  return { review, payment }
}
