import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteResetsExpiredBefore } from "./password-resets-repository.ts"

/** Requests of the last hour count towards the limit on mails. */
const KEPT_SECONDS = 3_600

export async function tidyPasswordResets({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -KEPT_SECONDS)
  await db.transaction().execute((tx) => deleteResetsExpiredBefore(tx, before))
}
