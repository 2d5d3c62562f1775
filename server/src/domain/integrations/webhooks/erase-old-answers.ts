import type { Db } from "#db/transaction"
import { workThrough } from "#domain/platform/retention/work-through"
import { readWebhookBodyDays } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { eraseAnswersBefore } from "./deliveries-repository.ts"

const BATCH = 2_000

/** Answers of sellers' systems may repeat what these were told about payers. */
export async function eraseOldAnswers({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const days = await readWebhookBodyDays(db)
  if (days === null) return
  const before = secondsAfter(clock.now(), -days * 86_400)
  await workThrough(BATCH, () => db.transaction().execute((tx) => eraseAnswersBefore(tx, before, BATCH)))
}
