import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { releaseUndelivered } from "./deliveries-repository.ts"
import { endRelease, findToRelease } from "./webhooks-repository.ts"

const BATCH = 500

/**
 * Makes due what waited for an endpoint that answers again: one batch a call, so that new events never wait for many. Answers
 * the endpoint's id; null when nothing waited.
 */
export async function releaseDeliveries({ db, dueClock }: { db: Db; dueClock: Clock }): Promise<string | null> {
  const endpoint = await findToRelease(db)
  if (endpoint === undefined) return null
  await db.transaction().execute((tx) => release(tx, endpoint, dueClock.now()))
  return endpoint.id
}

async function release(tx: Tx, endpoint: { id: string; before: Date }, now: Date): Promise<void> {
  const count = await releaseUndelivered(tx, { ...endpoint, now, limit: BATCH })
  if (count < BATCH) await endRelease(tx, endpoint)
}
