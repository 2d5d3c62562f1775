import type { Db, Tx } from "#db/transaction"
import { readEventRetentionDays } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteDeliveriesBefore, deleteDeliveriesOfDeleted, pullBack } from "./deliveries-repository.ts"
import { longestPauseSeconds } from "./delivery-schedule.ts"
import { deleteEmptied, eraseFormerSecrets } from "./webhooks-repository.ts"

const BATCH = 2_000

/** Deliveries go with their events, and with their endpoint; former secrets once they sign no more. */
export async function tidyWebhooks({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const days = await readEventRetentionDays(db)
  if (days !== null) {
    const before = secondsAfter(clock.now(), -days * 86_400)
    while ((await db.transaction().execute((tx) => deleteDeliveriesBefore(tx, before, BATCH))) === BATCH);
  }
  while ((await db.transaction().execute((tx) => deleteDeliveriesOfDeleted(tx, BATCH))) === BATCH);
  await db.transaction().execute((tx: Tx) => deleteEmptied(tx))
  await db.transaction().execute((tx: Tx) => eraseFormerSecrets(tx, clock.now()))
}

/** The number of deliveries that a clock which was ahead has put off. */
export async function pullBackWebhooks({ db, dueClock }: { db: Db; dueClock: Clock }): Promise<number> {
  const now = dueClock.now()
  return db.transaction().execute((tx) => pullBack(tx, { now, latest: secondsAfter(now, longestPauseSeconds + 60) }))
}
