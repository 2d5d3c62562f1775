import type { Db, Tx } from "#db/transaction"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { type Clock, secondsAfter } from "#kit/clock"
import { noteTold } from "./outages-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  dueClock: Clock
}

const TELL_AFTER_SECONDS = 3600
const BATCH = 100

/** Mails each seller once an outage, an hour after its first failure, whenever the endpoint is tried next. */
export async function tellOfOutages({ db, clock, dueClock }: Deps): Promise<void> {
  const since = secondsAfter(dueClock.now(), -TELL_AFTER_SECONDS)
  while ((await db.transaction().execute((tx) => tell(tx, since, clock.now()))) === BATCH);
}

async function tell(tx: Tx, longest: Date, now: Date): Promise<number> {
  const outages = await noteTold(tx, { since: longest, limit: BATCH })
  const mails = outages.map(({ endpointId, sellerId, url, since, problem }) => {
    const content = { kind: "webhook_failing", url, since: since.toISOString(), problem } as const
    return { userId: sellerId, dedupeKey: `webhook-failing:${endpointId}:${since.toISOString()}`, content }
  })
  await enqueueMails(tx, mails, now)
  return outages.length
}
