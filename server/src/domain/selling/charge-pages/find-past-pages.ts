import type { PastRow } from "#db/past-rows"
import type { Db } from "#db/transaction"
import type { ChargePage } from "./charge-page.ts"
import { findPastChargePages } from "./charge-pages-repository.ts"

/** Pages as their owner read them, by the sequence of the event. */
export async function findPastPages(db: Db, past: readonly PastRow[]): Promise<Map<number, ChargePage>> {
  return findPastChargePages(db, past)
}
