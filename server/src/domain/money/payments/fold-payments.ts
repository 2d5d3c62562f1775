import type { Db } from "#db/transaction"
import { foldPaymentRows } from "./payments-repository.ts"

const BATCH = 10_000
/** Reading them costs as much as folding them does: about a microsecond each. */
const MANY = 5_000

/**
 * Adds the payments booked since the last time to the changes of totals and to the counts of pages, so that few are added
 * up by whoever reads these. They are exact without it.
 */
export function foldPayments({ db }: { db: Db }): Promise<void> {
  return fold(db, 1)
}

/** In a flood, before its time: each fold writes a few rows for each seller, so it should not come sooner than it must. */
export function foldManyPayments({ db }: { db: Db }): Promise<void> {
  return fold(db, MANY)
}

async function fold(db: Db, atLeast: number): Promise<void> {
  for (;;) {
    const folded = await db.transaction().execute((tx) => foldPaymentRows(tx, { atMost: BATCH, atLeast }))
    // A batch ends between two transactions, so it is seldom full.
    if (folded < BATCH / 2) return
  }
}
