import type { Db } from "#db/transaction"
import { foldPaymentRows } from "./payments-repository.ts"

const BATCH = 10_000

/**
 * Adds the payments booked since the last time to the changes of totals and to the counts of pages, so that few are added
 * up by whoever reads these. They are exact without it.
 */
export async function foldPayments({ db }: { db: Db }): Promise<void> {
  for (;;) {
    const folded = await db.transaction().execute((tx) => foldPaymentRows(tx, BATCH))
    // A batch ends between two transactions, so it is seldom full.
    if (folded < BATCH / 2) return
  }
}
