import type { Tx } from "#db/transaction"
import type { Charge } from "#domain/charges/charge"
import { lockCharge } from "#domain/charges/lock-charge"
import { findPayment, type Payment } from "#domain/payments/find-payment"
import { lockReviewOfPayment } from "./lock-review.ts"
import type { PaymentReview } from "./payment-review.ts"

export interface LockedPayment {
  payment: Payment
  review: PaymentReview | null
  /** What it was credited as, at once or when an admin accepted it. Null while it is in suspense. */
  charge: Charge | null
}

/** Null when it isn't booked. Reviews before charges: the one order of locks that every writer keeps. */
export async function lockPayment(tx: Tx, endToEndId: string): Promise<LockedPayment | null> {
  const payment = await findPayment(tx, endToEndId)
  if (payment === null) return null
  const review = await lockReviewOfPayment(tx, endToEndId)
  const chargeId = payment.isCredited ? payment.chargeId : (review?.acceptedChargeId ?? null)
  return { payment, review, charge: chargeId === null ? null : await lockCharge(tx, chargeId) }
}
