import type { Tx } from "#db/transaction"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { publishChargeEvents } from "#events/events"
import type { Charge } from "./charge.ts"
import { insertPaidCharge } from "./charges-repository.ts"

/** An accepted unmatched payment becomes a charge of its own; the charge it was meant for stays as it is. */
export async function recordAcceptedCharge(tx: Tx, charge: Charge): Promise<void> {
  await insertPaidCharge(tx, charge)
  await appendEvents(tx, "charge.paid", [charge.id], charge.createdAt)
  await publishChargeEvents(tx, [{ chargeId: charge.id, sellerId: charge.sellerId }])
}
