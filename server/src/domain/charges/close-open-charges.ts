import type { Tx } from "#db/transaction"
import { publishChargeEvents } from "#events/events"
import { markOpenChargesCancelled } from "./charges-repository.ts"

/** Ends a page's open Pix codes; a job tells the provider, so that nobody can pay them. Call it under the page's lock. */
export async function closeOpenCharges(
  tx: Tx,
  { pageId, now, expiringAfter }: { pageId: string; now: Date; expiringAfter?: Date },
): Promise<void> {
  const closed = await markOpenChargesCancelled(tx, { pageId, expiringAfter, now })
  await publishChargeEvents(
    tx,
    closed.map((charge) => ({ chargeId: charge.id, sellerId: charge.seller_id })),
  )
}
