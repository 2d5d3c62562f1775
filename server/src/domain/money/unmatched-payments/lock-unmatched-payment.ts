import type { Tx } from "#db/transaction"
import type { UnmatchedPayment } from "./unmatched-payment.ts"
import { lockUnmatchedPaymentRowOf } from "./unmatched-payments-repository.ts"

/** Lock it before the payment's charge and refunds. Null for a payment that no admin must check. */
export async function lockUnmatchedPayment(tx: Tx, endToEndId: string): Promise<UnmatchedPayment | null> {
  return lockUnmatchedPaymentRowOf(tx, endToEndId)
}
