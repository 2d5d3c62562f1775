import type { Db } from "#db/transaction"
import { foldChanges } from "./charge-changes-repository.ts"

const BATCH = 10_000

/** Keeps short what has to be added up to a seller's totals. They are exact without it. */
export async function foldChargeChanges({ db }: { db: Db }): Promise<void> {
  for (;;) {
    const folded = await db.transaction().execute((tx) => foldChanges(tx, BATCH))
    if (folded < BATCH) return
  }
}
