import type { Db } from "#db/transaction"
import { readOldestRefundUnderWay } from "./refunds-repository.ts"

/** With the bank, and not known to have ended. */
export function readRefundsUnderWay(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return readOldestRefundUnderWay(db)
}
