import type { Db } from "#db/transaction"
import type { Withdrawal } from "./withdrawal.ts"
import { findByPayoutIds } from "./withdrawals-repository.ts"

/** Our withdrawals by payout id. */
export async function findWithdrawalsOfPayouts(db: Db, payoutIds: string[]): Promise<Map<string, Withdrawal>> {
  const found = await findByPayoutIds(db, payoutIds)
  return new Map(found.map((withdrawal) => [withdrawal.payoutId ?? "", withdrawal]))
}
