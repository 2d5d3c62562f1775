import type { Db } from "#db/transaction"
import { type CountedSince, countRowsSince } from "./payments-repository.ts"

/** How many payments were paid since then, counted up to `most`, so that the cost stays the same on a busy day. */
export function countPaymentsSince(db: Db, counted: CountedSince): Promise<number> {
  return db.transaction().execute((tx) => countRowsSince(tx, counted))
}
