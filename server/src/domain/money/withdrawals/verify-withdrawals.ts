import type { Db } from "#db/transaction"
import { findWithdrawalDifferences, type WithdrawalDifference } from "./withdrawal-verification-repository.ts"

/** Proves that withdrawals, their totals and the ledger tell one story. Reads the whole history: for operators. */
export async function verifyWithdrawals(db: Db): Promise<WithdrawalDifference[]> {
  return findWithdrawalDifferences(db)
}
