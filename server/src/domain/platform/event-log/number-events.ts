import type { Db } from "#db/transaction"
import { numberDrafts } from "./event-log-repository.ts"

/** A second's work at most, in one transaction. */
const BATCH = 10_000

/** Gives what happened since the last time its place in the logs of the sellers, from which on it can be read. */
export async function numberEvents({ db }: { db: Db }): Promise<void> {
  for (;;) {
    const numbered = await db.transaction().execute((tx) => numberDrafts(tx, BATCH))
    if (numbered < BATCH) return
  }
}
