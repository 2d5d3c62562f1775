import type { Db } from "#db/transaction"
import { readOldestPayoutUnderWay } from "./withdrawals-repository.ts"

/** With the bank, and not known to have ended. */
export function readPayoutsUnderWay(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return readOldestPayoutUnderWay(db)
}
