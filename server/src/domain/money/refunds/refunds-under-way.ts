import type { Db } from "#db/transaction"
import { readOldestRefundUnderWay } from "./refunds-repository.ts"

/** Refunds at the bank without a known outcome. */
export function readRefundsUnderWay(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return readOldestRefundUnderWay(db)
}
