import type { Db, Tx } from "./transaction.ts"

const BATCH = 10_000

/** In a transaction for each part, until none is full: who dies in between leaves the rest for the next run. */
export async function foldAll(db: Db, foldSome: (tx: Tx, limit: number) => Promise<number>): Promise<void> {
  for (;;) {
    const folded = await db.transaction().execute((tx) => foldSome(tx, BATCH))
    if (folded < BATCH) return
  }
}
