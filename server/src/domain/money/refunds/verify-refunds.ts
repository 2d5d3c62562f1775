import type { Db } from "#db/transaction"
import { findRefundDifferences, type RefundDifference } from "./refund-verification-repository.ts"

/** Proves that refunds, charges, unmatched payments and ledger agree. Reads the whole history: for operators. */
export async function verifyRefunds(db: Db): Promise<RefundDifference[]> {
  return findRefundDifferences(db)
}
