import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { releaseUndelivered } from "./deliveries-repository.ts"
import { endRelease, findToRelease } from "./webhooks-repository.ts"

const BATCH = 500

/** Makes due, a batch of each endpoint per run, what waited for one that answers again. */
export async function releaseDeliveries({ db, dueClock }: { db: Db; dueClock: Clock }): Promise<void> {
  for (const endpoint of await findToRelease(db)) {
    await db.transaction().execute((tx) => release(tx, endpoint, dueClock.now()))
  }
}

async function release(tx: Tx, endpoint: { id: string; before: Date }, now: Date): Promise<void> {
  const count = await releaseUndelivered(tx, { ...endpoint, now, limit: BATCH })
  if (count < BATCH) await endRelease(tx, endpoint)
}
