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

/** What nobody shall pay any more, and the provider still would take. */
export async function readDueRemovals(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return readOldestDueRemoval(db)
}
