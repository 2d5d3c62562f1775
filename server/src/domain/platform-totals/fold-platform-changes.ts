import type { Db } from "#db/transaction"
import { foldChanges } from "./platform-totals-repository.ts"

const BATCH = 10_000

/** Keeps short what readers have to add up. The totals are exact without it. */
export async function foldPlatformChanges({ db }: { db: Db }): Promise<void> {
  for (;;) {
    const folded = await db.transaction().execute((tx) => foldChanges(tx, BATCH))
    if (folded < BATCH) return
  }
}
