import { type Db, executeOne, type Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { enqueueMails } from "#platform/mails/notify-owner"
import { releaseUndelivered } from "./deliveries-table.ts"
import { longestPauseSeconds } from "./rules.ts"
import { endRelease, findToRelease, markOutagesNotified, queueOldestOfSilent } from "./table.ts"

/**
 * An endpoint whose deliveries have all had their tries would wait for its next event, however long ago it came back: its
 * oldest delivery asks it twice a day, and the first answer releases the rest.
 */
export async function askSilentEndpoints({ db, dueClock }: { db: Db; dueClock: Clock }): Promise<void> {
  const now = dueClock.now()
  await executeOne(db, queueOldestOfSilent({ now, triedBefore: secondsAfter(now, -longestPauseSeconds) }))
}

const RELEASED_AT_ONCE = 500

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
  const count = await releaseUndelivered(tx, { ...endpoint, now, limit: RELEASED_AT_ONCE })
  if (count < RELEASED_AT_ONCE) await endRelease(tx, endpoint)
}

interface Deps {
  db: Db
  clock: Clock
  dueClock: Clock
}

const NOTIFY_AFTER_SECONDS = 3600
const OUTAGES_AT_ONCE = 100

/** Mails each seller once an outage, an hour after its first failure, whenever the endpoint is tried next. */
export async function notifyOfOutages({ db, clock, dueClock }: Deps): Promise<void> {
  const since = secondsAfter(dueClock.now(), -NOTIFY_AFTER_SECONDS)
  while ((await db.transaction().execute((tx) => notifyOwners(tx, since, clock.now()))) === OUTAGES_AT_ONCE);
}

async function notifyOwners(tx: Tx, longest: Date, now: Date): Promise<number> {
  const outages = await markOutagesNotified(tx, { since: longest, limit: OUTAGES_AT_ONCE })
  const mails = outages.map(({ endpointId, sellerId, url, since, problem }) => {
    const content = { kind: "webhook_failing", url, since: since.toISOString(), problem } as const
    return { userId: sellerId, dedupeKey: `webhook-failing:${endpointId}:${since.toISOString()}`, content }
  })
  await enqueueMails(tx, mails, now)
  return outages.length
}
