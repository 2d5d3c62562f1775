import { isDatabaseDown } from "#db/database-down"
import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import { claimSeconds, type InboxWorker } from "./inbox-worker.ts"
import { insertInboxMessages } from "./psp-inbox-repository.ts"

/** Beyond this only the latency grows. */
const BATCH = 200

interface Deps {
  db: Db
  clock: Clock
  psp: { name: string }
  /** Gets what fits into its hands, without a way through the table; the rest waits there. */
  worker: Pick<InboxWorker, "room" | "take">
}

export type StoreWebhook = (body: Buffer) => Promise<void>

/** Each is durable when its call returns; only then the provider may hear 200. */
export function webhookStore({ db, clock, psp, worker }: Deps): StoreWebhook {
  return createMicroBatch<Buffer, void>({
    most: BATCH,
    // One commit after another: what arrives meanwhile shares the next, which costs less than two at once.
    slots: 1,
    failsAll: isDatabaseDown,
    async run(bodies) {
      const now = clock.now()
      const claimed = Math.min(bodies.length, worker.room())
      const claimedUntil = secondsAfter(now, claimSeconds)
      const arrived = { provider: psp.name, bodies, now, claimed, claimedUntil }
      const ids = await db.transaction().execute((tx) => insertInboxMessages(tx, arrived))
      const messages = bodies.map((body, at) => ({ id: ids[at] ?? 0, body, attempts: 1, claimedUntil }))
      worker.take(messages.slice(0, claimed))
      return bodies.map(() => undefined)
    },
  })
}
