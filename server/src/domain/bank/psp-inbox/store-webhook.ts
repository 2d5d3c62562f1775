import { isDatabaseDown } from "#db/database-down"
import { executeOne } from "#db/one-statement"
import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import { claimSeconds, type InboxWorker } from "./inbox-worker.ts"
import { insertInboxBundle } from "./psp-inbox-repository.ts"

/** Larger batches would only add latency. */
const BATCH = 200
/** Most bodies are small; large ones share a row with fewer. */
const BUNDLE_BYTES = 256 * 1024

interface Deps {
  db: Db
  clock: Clock
  psp: { name: string }
  /** Takes bundles directly while it has room, without a detour through the table; others wait there. */
  worker: Pick<InboxWorker, "room" | "take">
}

export type StoreWebhook = (body: Buffer) => Promise<void>

/** Each body is durable when its call returns; only then may the provider get a 200. */
export function webhookStore({ db, clock, psp, worker }: Deps): StoreWebhook {
  return createMicroBatch<Buffer, void>({
    most: BATCH,
    // One commit at a time: bodies that arrive meanwhile share the next one, which costs less than two in parallel.
    slots: 1,
    failsAll: isDatabaseDown,
    async run(bodies) {
      const now = clock.now()
      const claimedUntil = secondsAfter(now, claimSeconds)
      // Each by itself: a body that is stored twice, because a later bundle failed, is only asked about twice.
      for (const bundle of bundlesOf(bodies)) {
        const isTaken = bundle.length <= worker.room()
        const arrived = { provider: psp.name, bodies: bundle, now, claimedUntil: isTaken ? claimedUntil : null }
        const id = await executeOne(db, insertInboxBundle(arrived))
        if (isTaken) worker.take({ id, bodies: bundle, attempts: 1, claimedUntil })
      }
      return bodies.map(() => undefined)
    },
  })
}

function bundlesOf(bodies: readonly Buffer[]): Buffer[][] {
  const bundles: Buffer[][] = []
  let bytes = 0
  for (const body of bodies) {
    if (bundles.length === 0 || bytes + body.length > BUNDLE_BYTES) {
      bundles.push([])
      bytes = 0
    }
    bundles.at(-1)?.push(body)
    bytes += body.length
  }
  return bundles
}
