import type { Db } from "#db/transaction"
import { findPaymentDifferences, type PaymentDifference } from "./payment-verification-repository.ts"

/** Verifies that payments, charges, totals and ledger agree. Reads the whole history: for operators. */
export async function verifyPayments(db: Db): Promise<PaymentDifference[]> {
  return findPaymentDifferences(db)
}
