import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { deleteConfirmationsExpiredBefore } from "./email-confirmations-repository.ts"

/** Links live longer than the hour in which they count towards the limit on mails. */
export async function tidyEmailConfirmations({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => deleteConfirmationsExpiredBefore(tx, now))
}
