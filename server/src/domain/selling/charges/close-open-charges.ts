import type { Tx } from "#db/transaction"
import { lockPagesOfCharges } from "#domain/selling/charge-pages/lock-pages-of-charges"
import { publishChargeEvents } from "#events/events"
import {
  findPagesWithOpenCharges,
  markOpenChargesCancelled,
  markSellersOpenChargesCancelled,
} from "./charges-repository.ts"

/**
 * Ends a page's open Pix codes; a job removes them at the provider, so that nobody can pay them. Call it under the
 * page's lock.
 */
export async function closeOpenCharges(
  tx: Tx,
  { pageId, now, expiringAfter }: { pageId: string; now: Date; expiringAfter?: Date },
): Promise<void> {
  await notifyOf(tx, await markOpenChargesCancelled(tx, { pageId, expiringAfter, now }))
}

/** Ends the codes of all the seller's pages. Call it under the seller's lock, which prevents new ones. */
export async function closeOpenChargesOfSeller(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await lockPagesOfCharges(tx, await findPagesWithOpenCharges(tx, sellerId))
  await notifyOf(tx, await markSellersOpenChargesCancelled(tx, sellerId, now))
}

async function notifyOf(tx: Tx, closed: { id: string; seller_id: string }[]): Promise<void> {
  await publishChargeEvents(
    tx,
    closed.map((charge) => ({ chargeId: charge.id, sellerId: charge.seller_id })),
  )
}
