import type { Tx } from "#db/transaction"
import { claimDueRemovals, markRemovalDone } from "./charges-repository.ts"

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
