import type { PastRow } from "#db/past-rows"
import type { Db } from "#db/transaction"
import { asListed, type OrderedCharge } from "./charge.ts"
import { findPastChargeRows } from "./charges-repository.ts"
import { withOrders } from "./with-orders.ts"

/** Charges as the API showed them, by the sequence of the event, with the order that their page has now. */
export async function findPastCharges(db: Db, past: readonly PastRow[]): Promise<Map<number, OrderedCharge>> {
  const charges = await findPastChargeRows(db, past)
  const shown = [...charges].map(([sequence, charge]) => ({ ...asListed(charge, charge.createdAt), sequence }))
  return new Map((await withOrders(db, shown)).map((charge) => [charge.sequence, charge]))
}
