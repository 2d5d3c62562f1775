import type { PastRow } from "#db/past-rows"
import type { Db } from "#db/transaction"
import type { Withdrawal } from "./withdrawal.ts"
import { findPastWithdrawalRows } from "./withdrawals-repository.ts"

/** Withdrawals as their seller read them, by the sequence of the event. */
export async function findPastWithdrawals(db: Db, past: readonly PastRow[]): Promise<Map<number, Withdrawal>> {
  return findPastWithdrawalRows(db, past)
}
