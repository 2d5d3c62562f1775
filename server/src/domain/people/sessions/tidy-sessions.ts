import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { deleteExpiredSessions } from "./session-repository.ts"

export async function tidySessions({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => deleteExpiredSessions(tx, now))
}
