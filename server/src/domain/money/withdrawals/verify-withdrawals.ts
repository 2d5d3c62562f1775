import type { Db } from "#db/transaction"
import { findWithdrawalDifferences, type WithdrawalDifference } from "./withdrawal-verification-repository.ts"

/** Verifies that withdrawals, their totals and the ledger agree. Reads the whole history: for operators. */
export async function verifyWithdrawals(db: Db): Promise<WithdrawalDifference[]> {
  return findWithdrawalDifferences(db)
}
