import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteAllFailuresBefore } from "./failed-logins-repository.ts"

/** Older failures count towards no limit. */
const KEPT_SECONDS = 24 * 3_600

export async function tidyFailedLogins({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -KEPT_SECONDS)
  await db.transaction().execute((tx) => deleteAllFailuresBefore(tx, before))
}
