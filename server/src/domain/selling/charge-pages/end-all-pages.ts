import type { Tx } from "#db/transaction"
import { markActivePagesCancelled } from "./charge-pages-repository.ts"

/** Cancels every active page of a seller who leaves. Call it under the seller's lock, which prevents new charges, when no code is open. */
export async function endAllPages(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await markActivePagesCancelled(tx, sellerId, now)
}
