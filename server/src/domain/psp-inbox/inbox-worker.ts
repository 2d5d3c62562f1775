import { isDatabaseDown } from "#db/database-down"
import { secondsAfter } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import { type InboxDeps, processMessages } from "./process-messages.ts"
import { claimInboxMessages, type InboxMessage, releaseInboxMessages } from "./psp-inbox-repository.ts"
import { createReceiptLists } from "./receipt-lists.ts"

/** Beyond this only the latency grows. */
const BATCH = 200
/** One large batch costs less than two small ones, unless the bank keeps the first waiting. */
const PATIENCE_MS = 25
/** New messages that wait in memory; more of them wait in the table. */
const MOST_IN_HAND = 2_000
/** Longer than any bank takes to answer: a process that dies gives its messages back by itself. */
export const claimSeconds = 30

export interface ClaimedMessage extends InboxMessage {
  claimedUntil: Date
}

export interface InboxWorker {
  /** How many new messages it would take in hand. */
  room(): number
  /** Works off what is claimed for it already. Returns at once. */
  take(messages: readonly ClaimedMessage[]): void
  /** Claims what waits in the table and works it off, until nothing waits. */
  workOff(): Promise<void>
  /** Ends what has begun and gives the rest back. */
  stop(): Promise<void>
}

/**
 * Works off what webhooks told, in batches. A webhook proves nothing: the provider is asked about whatever it tells of.
 * A batch that fails is tried message by message, and what then fails is claimed again when its time comes.
 */
export function createInboxWorker(deps: InboxDeps): InboxWorker {
  const { db, psp, clock, log } = deps
  const lists = createReceiptLists(deps)
  let inHand = 0
  let isStopping = false
  let onIdle: () => void = () => undefined

  async function run(messages: readonly ClaimedMessage[]): Promise<undefined[]> {
    const now = clock.now()
    const ours = messages.filter(({ claimedUntil }) => now < claimedUntil)
    try {
      if (isStopping) await release(ours, now)
      else if (ours.length > 0) await processMessages({ ...deps, lists }, ours)
    } catch (error) {
      log.error({ err: error, messages: messages.length }, "webhooks will be tried again")
      throw error
    }
    return messages.map(() => undefined)
  }

  async function release(messages: ClaimedMessage[], now: Date): Promise<void> {
    const ids = messages.map(({ id }) => id)
    await db.transaction().execute((tx) => releaseInboxMessages(tx, ids, now))
  }

  const work = createMicroBatch<ClaimedMessage, void>({
    ...{ run, most: BATCH, slots: 4, patienceMs: PATIENCE_MS },
    failsAll: isDatabaseDown,
    hasCallers: false,
  })

  async function workOn(message: ClaimedMessage): Promise<void> {
    inHand += 1
    try {
      await work(message)
    } finally {
      inHand -= 1
      if (inHand === 0) onIdle()
    }
  }

  async function claim(): Promise<ClaimedMessage[]> {
    const now = clock.now()
    const claimedUntil = secondsAfter(now, claimSeconds)
    const claimed = { provider: psp.name, now, until: claimedUntil, limit: BATCH }
    const messages = await db.transaction().execute((tx) => claimInboxMessages(tx, claimed))
    return messages.map((message) => ({ ...message, claimedUntil }))
  }

  return {
    room: () => (isStopping ? 0 : Math.max(0, MOST_IN_HAND - inHand)),
    take(messages) {
      // Its batch has told of a failure, and the claim's end brings the message back.
      for (const message of messages) void workOn(message).catch(() => undefined)
    },
    async workOff() {
      for (;;) {
        const messages = await claim()
        const results = await Promise.allSettled(messages.map(workOn))
        const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
        if (failures.length > 0) throw new AggregateError(failures, "some webhooks will be tried again")
        if (messages.length < BATCH || isStopping) return
      }
    },
    async stop() {
      isStopping = true
      if (inHand > 0) await new Promise<void>((resolve) => (onIdle = resolve))
    },
  }
}
