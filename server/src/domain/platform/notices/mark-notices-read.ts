import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { isId } from "#kit/ids"
import { markRowsRead } from "./notices-repository.ts"

interface Reading {
  userId: string
  /** All without names. Unknown ones, and those of others, are passed over. */
  ids: readonly string[] | null
}

export async function markNoticesRead({ db, clock }: { db: Db; clock: Clock }, reading: Reading): Promise<void> {
  const ids = reading.ids?.filter(isId) ?? null
  if (ids?.length === 0) return
  const now = clock.now()
  await db.transaction().execute((tx) => markRowsRead(tx, { userId: reading.userId, ids }, now))
}
