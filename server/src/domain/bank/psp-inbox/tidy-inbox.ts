import type { Db } from "#db/transaction"
import { workThrough } from "#domain/platform/retention/work-through"
import { readWebhookBodyDays } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteProcessedBefore } from "./psp-inbox-repository.ts"

const BATCH = 5_000

/** The bodies may name payers, so they are kept for as long as somebody may investigate, and no longer. */
export async function tidyInbox({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const days = await readWebhookBodyDays(db)
  if (days === null) return
  const before = secondsAfter(clock.now(), -days * 86_400)
  await workThrough(BATCH, () => db.transaction().execute((tx) => deleteProcessedBefore(tx, before, BATCH)))
}
