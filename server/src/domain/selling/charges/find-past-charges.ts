import type { PastRow } from "#db/past-rows"
import type { Db } from "#db/transaction"
import { asListed, type ListedCharge } from "./charge.ts"
import { findPastChargeRows } from "./charges-repository.ts"

/** Charges as the API showed them, by the sequence of the event. */
export async function findPastCharges(db: Db, past: readonly PastRow[]): Promise<Map<number, ListedCharge>> {
  const charges = await findPastChargeRows(db, past)
  return new Map([...charges].map(([sequence, charge]) => [sequence, asListed(charge, charge.createdAt)]))
}
