import type { Db, Tx } from "#db/transaction"
import { publishChargeEvents } from "#events/events"
import { type Clock, secondsAfter } from "#kit/clock"
import { markExpiredCharges, markUnfinishedChargesFailed } from "./charges-repository.ts"

const BATCH = 500
/** The grace period during which a payer's status waits for the bank. */
const GRACE_SECONDS = 3
/** Longer than any request for a Pix may take. */
const UNFINISHED_AFTER_SECONDS = 45

export async function expireCharges({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  for (;;) {
    const ended = await db.transaction().execute((tx) => endCharges(tx, now))
    if (ended < BATCH) return
  }
}

async function endCharges(tx: Tx, now: Date): Promise<number> {
  const ended = await markExpiredCharges(tx, secondsAfter(now, -GRACE_SECONDS), now, BATCH)
  await publishChargeEvents(
    tx,
    ended.map((charge) => ({ chargeId: charge.id, sellerId: charge.seller_id })),
  )
  return ended.length
}

/** Ends charges left between the two transactions by a crash or a silent provider, and removes them at the provider. */
export async function failUnfinishedCharges({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  const createdBefore = secondsAfter(now, -UNFINISHED_AFTER_SECONDS)
  for (;;) {
    const failed = await db.transaction().execute((tx) => markUnfinishedChargesFailed(tx, createdBefore, now, BATCH))
    if (failed < BATCH) return
  }
}
