import type { Tx } from "#db/transaction"
import { findPayment, type Payment } from "#domain/money/payments/find-payment"
import type { Charge } from "#domain/selling/charges/charge"
import { lockCharge } from "#domain/selling/charges/lock-charge"
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
