import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteNoticesBefore } from "./notices-repository.ts"

/** Half a year: a seller who was away for a summer still reads what happened. */
const KEPT_SECONDS = 180 * 86_400

export async function tidyNotices({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -KEPT_SECONDS)
  await db.transaction().execute((tx) => deleteNoticesBefore(tx, before))
}
