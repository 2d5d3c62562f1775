import type { Db } from "#db/transaction"
import { readEventRetentionDays } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteEventsBefore } from "./event-log-repository.ts"

/** Deletes events that nobody reads any more. The numbers go on. */
export async function tidyEvents({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const days = await readEventRetentionDays(db)
  if (days === null) return
  const before = secondsAfter(clock.now(), -days * 86_400)
  for (;;) {
    const deleted = await db.transaction().execute((tx) => deleteEventsBefore(tx, before))
    if (deleted === 0) return
  }
}
