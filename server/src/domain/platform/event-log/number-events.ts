import type { Db } from "#db/transaction"
import { isAnythingUnnumbered, numberDrafts } from "./event-log-repository.ts"

/** A second's work at most, in one transaction. */
const BATCH = 10_000

/** With more at a time the next numbering is due soon anyway, and more of them would cost each event more. */
const FEW = 50

/**
 * Gives what happened since the last time its place in the logs of the sellers, from which on it can be read. True when only
 * a few events came and another transaction still holds back some that are committed: then a look soon after is worth it.
 */
export async function numberEvents({ db }: { db: Db }): Promise<boolean> {
  for (;;) {
    const numbered = await db.transaction().execute((tx) => numberDrafts(tx, BATCH))
    if (numbered < BATCH) return numbered <= FEW && (await isAnythingUnnumbered(db))
  }
}
