import type { Db } from "#db/transaction"
import { findBookedIds } from "./payments-repository.ts"

/** The given receipts that are booked already. */
export async function findBookedReceipts(db: Db, endToEndIds: string[]): Promise<Set<string>> {
  return findBookedIds(db, endToEndIds)
}
