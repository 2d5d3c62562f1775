import { type Db, executeOne, type Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { enqueueMails } from "#platform/mails/enqueue-mails"
import { workThrough } from "#platform/retention/retention"
import { readEventRetentionDays, readWebhookBodyDays } from "#platform/settings/read"
import {
  deleteDeliveriesBefore,
  deleteDeliveriesOfDeleted,
  eraseAnswersBefore,
  pullBack,
  releaseUndelivered,
} from "./deliveries-table.ts"
import { longestPauseSeconds } from "./rules.ts"
import {
  deleteEmptied,
  endRelease,
  eraseEndpointsOf,
  eraseFormerSecrets,
  findToRelease,
  markOutagesNotified,
  queueOldestOfSilent,
} from "./table.ts"

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

const BATCH = 2_000

/** Answers of sellers' systems may repeat what these were told about payers. */
export async function eraseOldAnswers({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const days = await readWebhookBodyDays(db)
  if (days === null) return
  const before = secondsAfter(clock.now(), -days * 86_400)
  await workThrough(BATCH, () => db.transaction().execute((tx) => eraseAnswersBefore(tx, before, BATCH)))
}

/** For an account that is deleted: a job deletes the deliveries, and then the rows. */
export async function eraseWebhooks(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await eraseEndpointsOf(tx, sellerId, now)
}
