import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteOutboxMailsBefore } from "./outbox-repository.ts"

const KEPT_SECONDS = 30 * 86_400

export async function tidyOutbox({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -KEPT_SECONDS)
  await db.transaction().execute((tx) => deleteOutboxMailsBefore(tx, before))
}
