import type { Db, Tx } from "./transaction.ts"

const BATCH = 10_000

/** Folds batch by batch, each in a transaction of its own, so that a crash leaves the rest for the next run. */
export async function foldAll(db: Db, foldSome: (tx: Tx, limit: number) => Promise<number>): Promise<void> {
  for (;;) {
    const folded = await db.transaction().execute((tx) => foldSome(tx, BATCH))
    if (folded < BATCH) return
  }
}
