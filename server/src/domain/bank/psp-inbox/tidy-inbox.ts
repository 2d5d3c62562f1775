import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteProcessedBefore } from "./psp-inbox-repository.ts"

/** Long enough to investigate a dispute; the bodies may name payers, so they are not kept for ever. */
const KEPT_SECONDS = 90 * 86_400

export async function tidyInbox({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -KEPT_SECONDS)
  await db.transaction().execute((tx) => deleteProcessedBefore(tx, before))
}
