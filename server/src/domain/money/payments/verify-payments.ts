import type { Db } from "#db/transaction"
import { findPaymentDifferences, type PaymentDifference } from "./payment-verification-repository.ts"

/** Proves that payments, charges, totals and ledger tell one story. Reads the whole history: for operators. */
export async function verifyPayments(db: Db): Promise<PaymentDifference[]> {
  return findPaymentDifferences(db)
}
