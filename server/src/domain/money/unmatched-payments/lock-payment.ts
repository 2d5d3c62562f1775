import type { Tx } from "#db/transaction"
import { findPayment, type Payment } from "#domain/money/payments/find-payment"
import type { Charge } from "#domain/selling/charges/charge"
import { lockCharge } from "#domain/selling/charges/lock-charge"
import { lockUnmatchedPayment } from "./lock-unmatched-payment.ts"
import type { UnmatchedPayment } from "./unmatched-payment.ts"

export interface LockedPayment {
  payment: Payment
  unmatched: UnmatchedPayment | null
  /** The charge it was credited as, at once or by an admin's acceptance. Null while it is uncredited. */
  charge: Charge | null
}

/** Null when it isn't booked. Unmatched payments before charges: every writer takes its locks in this order. */
export async function lockPayment(tx: Tx, endToEndId: string): Promise<LockedPayment | null> {
  const payment = await findPayment(tx, endToEndId)
  if (payment === null) return null
  const unmatched = await lockUnmatchedPayment(tx, endToEndId)
  const chargeId = payment.isCredited ? payment.chargeId : (unmatched?.acceptedChargeId ?? null)
  return { payment, unmatched, charge: chargeId === null ? null : await lockCharge(tx, chargeId) }
}
