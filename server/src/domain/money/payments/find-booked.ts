import type { Db } from "#db/transaction"
import { findBookedIds } from "./payments-repository.ts"

/** Of these receipts, those that are booked already. */
export async function findBookedReceipts(db: Db, endToEndIds: string[]): Promise<Set<string>> {
  return findBookedIds(db, endToEndIds)
}
