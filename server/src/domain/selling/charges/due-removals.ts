import type { Db, Tx } from "#db/transaction"
import { claimDueRemovals, markRemovalDone, readOldestDueRemoval } from "./charges-repository.ts"

export async function claimDueChargeRemovals(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ id: string; txid: string }[]> {
  return claimDueRemovals(tx, now, limit)
}

export async function saveChargeRemovals(tx: Tx, ids: string[]): Promise<void> {
  await markRemovalDone(tx, ids)
}

/** Charges that must not be paid any more but are still payable at the provider. */
export async function readDueRemovals(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return readOldestDueRemoval(db)
}
