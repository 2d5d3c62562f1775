import type { Db } from "#db/transaction"
import { readOldestPayoutUnderWay } from "./withdrawals-repository.ts"

/** Payouts at the bank without a known outcome. */
export function readPayoutsUnderWay(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return readOldestPayoutUnderWay(db)
}
