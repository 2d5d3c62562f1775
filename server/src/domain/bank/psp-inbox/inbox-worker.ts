import { isDatabaseDown } from "#db/database-down"
import { secondsAfter } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import { bundleFinisher, type ClaimedBundle, type MessageOutcome } from "./finish-bundles.ts"
import { type InboxDeps, processMessages } from "./process-messages.ts"
import { claimInboxBundles } from "./psp-inbox-repository.ts"
import { createReceiptLists } from "./receipt-lists.ts"

/** Larger batches would only add latency. */
const BATCH = 200
/** One large batch costs less than two small ones, unless the bank is slow to answer the first. */
const PATIENCE_MS = 25
/** Upper bound for messages kept in memory; further ones wait in the table. */
const MOST_IN_HAND = 2_000
/** Longer than any bank takes to answer. The claims of a crashed process expire. */
export const claimSeconds = 30

/** Upper bound of one claim from the table. */
const claimable = { rows: BATCH, messages: 1_000 }

interface ClaimedMessage {
  body: Buffer
  claimedUntil: Date
}

export interface InboxWorker {
  /** The number of new messages that the worker would accept. */
  room(): number
  /** Processes a bundle that is already claimed for the worker. Returns at once. */
  take(bundle: ClaimedBundle): void
  /** Claims and processes waiting bundles until none are left. */
  workOff(): Promise<void>
  /** Finishes what has begun and releases the rest. */
  stop(): Promise<void>
}

/**
 * Processes webhook messages in batches. A webhook proves nothing: everything it reports is queried at the provider. A
 * failed batch is retried message by message, and those that fail again are claimed later.
 */
export function createInboxWorker(deps: InboxDeps): InboxWorker {
  const { db, psp, clock, log } = deps
  const lists = createReceiptLists(deps)
  const finish = bundleFinisher(deps)
  let inHand = 0
  let isStopping = false
  let onIdle: () => void = () => undefined

  async function run(messages: readonly ClaimedMessage[]): Promise<MessageOutcome[]> {
    const now = clock.now()
    const ours = isStopping ? [] : messages.filter(({ claimedUntil }) => now < claimedUntil)
    try {
      const bodies = ours.map(({ body }) => body)
      const outcomes = bodies.length === 0 ? [] : await processMessages({ ...deps, lists }, bodies)
      const outcomeOf = new Map(ours.map((message, at) => [message, outcomes[at]]))
      return messages.map((message) => outcomeOf.get(message) ?? "given-back")
    } catch (error) {
      log.error({ err: error, messages: messages.length }, "webhooks will be tried again")
      throw error
    }
  }

  const work = createMicroBatch<ClaimedMessage, MessageOutcome>({
    ...{ run, most: BATCH, slots: 4, patienceMs: PATIENCE_MS },
    failsAll: isDatabaseDown,
    callers: "none",
  })

  async function workOn(bundle: ClaimedBundle): Promise<void> {
    const { bodies, claimedUntil } = bundle
    const failures: unknown[] = []
    const orOpen = (error: unknown): MessageOutcome => {
      failures.push(error)
      return "open"
    }
    inHand += bodies.length
    try {
      const outcomes = await Promise.all(bodies.map((body) => work({ body, claimedUntil }).catch(orOpen)))
      await finish(bundle, outcomes)
    } finally {
      inHand -= bodies.length
      if (inHand === 0) onIdle()
    }
    if (failures.length > 0) throw failures[0]
  }

  async function claim(): Promise<ClaimedBundle[]> {
    const now = clock.now()
    const claimedUntil = secondsAfter(now, claimSeconds)
    const wish = { provider: psp.name, now, until: claimedUntil, ...claimable }
    const bundles = await db.transaction().execute((tx) => claimInboxBundles(tx, wish))
    return bundles.map((bundle) => ({ ...bundle, claimedUntil }))
  }

  return {
    room: () => (isStopping ? 0 : Math.max(0, MOST_IN_HAND - inHand)),
    take(bundle) {
      // Its batch has already reported the failure, and the bundle returns at the latest when its claim expires.
      void workOn(bundle).catch(() => undefined)
    },
    async workOff() {
      for (;;) {
        const bundles = await claim()
        const results = await Promise.allSettled(bundles.map(workOn))
        const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
        if (failures.length > 0) throw new AggregateError(failures, "some webhooks will be retried")
        if (bundles.length === 0 || isStopping) return
      }
    },
    async stop() {
      isStopping = true
      if (inHand > 0) await new Promise<void>((resolve) => (onIdle = resolve))
    },
  }
}
