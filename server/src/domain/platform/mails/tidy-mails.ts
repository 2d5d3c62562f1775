import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteDoneMailsBefore } from "./mails-repository.ts"

/** What a mail tells of can't happen again under its key: the tables of its noun see to that. */
const KEPT_SECONDS = 30 * 86_400

export async function tidyMails({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -KEPT_SECONDS)
  await db.transaction().execute((tx) => deleteDoneMailsBefore(tx, before))
}
