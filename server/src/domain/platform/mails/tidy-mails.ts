import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteDoneMailsBefore } from "./mails-repository.ts"

/** Mails older than this can't be enqueued again under their key, because the tables of their noun prevent it. */
const KEPT_SECONDS = 30 * 86_400

export async function tidyMails({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -KEPT_SECONDS)
  await db.transaction().execute((tx) => deleteDoneMailsBefore(tx, before))
}
