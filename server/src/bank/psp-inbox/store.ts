import { isDatabaseDown } from "#db/database-down"
import { type Db, executeOne, type Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { createMicroBatch } from "#kit/micro-batch"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimSeconds, type InboxWorker } from "./process.ts"
import { type InboxState, readInbox } from "./reads.ts"
import { insertInboxBundle, lockWaitingMessage, updateNextAttempt } from "./table.ts"

/** Larger batches would only add latency. */
const STORED_AT_ONCE = 200
/** Most bodies are small; large ones share a row with fewer. */
const BUNDLE_BYTES = 256 * 1024

interface Deps {
  db: Db
  clock: Clock
  psp: { name: string }
  /** Takes bundles directly while it has capacity, without a detour through the table; others wait there. */
  worker: Pick<InboxWorker, "capacity" | "take">
}

export type StoreWebhook = (body: Buffer) => Promise<void>

/** Each body is durable when its call returns; only then may the provider get a 200. */
export function webhookStore({ db, clock, psp, worker }: Deps): StoreWebhook {
  return createMicroBatch<Buffer, void>({
    most: STORED_AT_ONCE,
    // One commit at a time: bodies that arrive meanwhile share the next one, which costs less than two in parallel.
    slots: 1,
    failsAll: isDatabaseDown,
    async run(bodies) {
      const now = clock.now()
      const claimedUntil = secondsAfter(now, claimSeconds)
      // Each by itself: a body that is stored twice, because a later bundle failed, is only asked about twice.
      for (const bundle of bundlesOf(bodies)) {
        const isTaken = bundle.length <= worker.capacity()
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

/** One failure is retried within a minute, so it isn't shown. */
const failedTimes = 3

export function readInboxState(db: Db, provider: string): Promise<InboxState> {
  return readInbox(db, provider, failedTimes)
}

interface Retry {
  id: string
  admin: Actor
}

/** Retries at the worker's next run instead of after the back-off. Processing a message twice books nothing twice. */
export async function retryInboxMessage({ db, clock }: { db: Db; clock: Clock }, retry: Retry): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => bringForward(tx, retry, now))
}

async function bringForward(tx: Tx, { id, admin }: Retry, now: Date): Promise<void> {
  const message = isMessageId(id) ? await lockWaitingMessage(tx, Number(id)) : undefined
  if (message === undefined) throw new DomainError("inbox_message_not_found")
  if (message.nextAttemptAt <= now) return
  await updateNextAttempt(tx, message.id, now)
  const { attempts, lastError } = message
  const entry = { actor: admin, happenedAt: now, action: "inbox_message.retried", entity: "inbox_message" } as const
  await recordAudit(tx, { ...entry, entityId: id, before: null, after: { attempts, lastError } })
}

function isMessageId(id: string): boolean {
  return /^\d{1,15}$/.test(id)
}
