import type { Db, Tx } from "#db/transaction"
import { publishChargeEvents } from "#events/events"
import { type Clock, secondsAfter } from "#kit/clock"
import { type Psp, provenTime } from "#psp/psp"
import { LONGEST_REQUEST_SECONDS } from "./charge.ts"
import { markExpiredCharges } from "./charges-repository.ts"
import { failUnfinished } from "./fail-charges.ts"

const BATCH = 500
/** The grace period during which a payer's status waits for the bank. */
const GRACE_SECONDS = 3

interface Deps {
  db: Db
  psp: Pick<Psp, "bankTime">
  clock: Clock
}

/** A clock that is ahead must not take codes from payers who can still pay them. */
export async function expireCharges({ db, ...deps }: Deps): Promise<void> {
  const now = provenTime(deps)
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
export async function failUnfinishedCharges({ db, ...deps }: Deps): Promise<void> {
  const now = provenTime(deps)
  const createdBefore = secondsAfter(now, -LONGEST_REQUEST_SECONDS)
  for (;;) {
    const failed = await db.transaction().execute((tx) => failUnfinished(tx, createdBefore, now, BATCH))
    if (failed < BATCH) return
  }
}
