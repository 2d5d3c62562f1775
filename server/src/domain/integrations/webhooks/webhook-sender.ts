import { setTimeout as sleep } from "node:timers/promises"
import { isDatabaseDown } from "#db/database-down"
import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import type { Logger } from "#kit/log"
import { createMicroBatch } from "#kit/micro-batch"
import type { OutsideAccess } from "#kit/outside-target"
import { attemptDelivery, type Message } from "./attempt-delivery.ts"
import { type ClaimedDelivery, claimDeliveries } from "./deliveries-repository.ts"
import {
  createLanes,
  type InFlight,
  type Lane,
  laneNames,
  MOST_PER_FAILING_ENDPOINT,
  mostPerEndpoint,
} from "./lanes.ts"
import { readMessages, type WriteEvent } from "./read-messages.ts"
import { recordOutcomes, type Sent } from "./record-outcomes.ts"

interface Deps {
  db: Db
  /** The machine's, for signatures. */
  clock: Clock
  /** The schedule's: the sandbox moves it. */
  dueClock: Clock
  log: Logger
  outside: OutsideAccess
  writeEvent: WriteEvent
}

export interface WebhookSender {
  /** Starts what is due and may be sent; returns before it is sent. */
  startDue(): Promise<void>
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /** Gives what is being sent a moment; the rest is sent again once its lease expires. */
  stop(): Promise<void>
}

/** Longer than a try and its record take. */
const LEASE_SECONDS = 30
const STOP_MS = 3_000

/**
 * Sends deliveries, bounded in all, for each lane and for each endpoint: however many dead or slow endpoints there are,
 * a living one finds a free place at once.
 */
export function createWebhookSender(deps: Deps): WebhookSender {
  const { log } = deps
  const lanes = createLanes()
  const sends = new Set<Promise<void>>()
  const send = sending(deps)
  let starting: Promise<void> | null = null
  let isWoken = false
  let isStopping = false

  async function startIn(lane: Lane): Promise<void> {
    const limit = lanes.roomIn(lane)
    if (limit <= 0) return
    const inFlight = lanes.inFlight()
    const claimed = await claim(deps, { lane, limit, inFlight })
    if (claimed.length === limit) isWoken = true
    lanes.take(lane, claimed, inFlight)
    for (const [sellerId, deliveries] of Map.groupBy(claimed, (delivery) => delivery.sellerId)) {
      const sequences = deliveries.map(({ sequence }) => sequence)
      const messages = readMessages(deps, sellerId, sequences)
      for (const delivery of deliveries) begin(lane, delivery, messages)
    }
  }

  function begin(lane: Lane, delivery: ClaimedDelivery, messages: Promise<Map<number, Message>>): void {
    const sent = send(delivery, messages)
      .catch((error: unknown) => {
        if (!isStopping) log.warn({ err: error, delivery: delivery.id }, "a delivery is sent again after its lease")
      })
      .finally(() => {
        sends.delete(sent)
        if (lanes.leave(lane, delivery.endpointId)) wake()
      })
    sends.add(sent)
  }

  async function startAll(): Promise<void> {
    try {
      while (isWoken && !isStopping) {
        isWoken = false
        for (const lane of laneNames) await startIn(lane)
      }
    } finally {
      // Here and not once the promise is settled, or a call in between would wake nobody.
      starting = null
    }
  }

  async function startDue(): Promise<void> {
    if (isStopping) return
    isWoken = true
    starting ??= startAll()
    await starting
  }

  /** Starts what was held back, without waiting for the job's next run. */
  function wake(): void {
    startDue().catch((error: unknown) => log.warn({ err: error }, "deliveries could not be claimed"))
  }

  async function idle(): Promise<void> {
    while (starting !== null || sends.size > 0) await Promise.allSettled([starting, ...sends])
  }

  return {
    startDue,
    idle,
    async stop() {
      isStopping = true
      await Promise.race([idle(), sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}

interface Wish {
  lane: Lane
  limit: number
  inFlight: readonly InFlight[]
}

async function claim({ db, dueClock }: Deps, { lane, ...wish }: Wish): Promise<ClaimedDelivery[]> {
  const now = dueClock.now()
  const limits = { perEndpoint: mostPerEndpoint[lane], perFailingEndpoint: MOST_PER_FAILING_ENDPOINT }
  const full = { ...wish, ...limits, lane, now, until: secondsAfter(now, LEASE_SECONDS) }
  return db.transaction().execute((tx) => claimDeliveries(tx, full))
}

/** Tries one delivery and records what came of it. */
function sending(deps: Deps) {
  const { db, dueClock } = deps
  const record = createMicroBatch<Sent, undefined>({
    ...{ most: 100, slots: 2, callers: "none", failsAll: isDatabaseDown },
    async run(sent) {
      await db.transaction().execute((tx) => recordOutcomes(tx, sent))
      return sent.map(() => undefined)
    },
  })
  return async (delivery: ClaimedDelivery, messages: Promise<Map<number, Message>>): Promise<void> => {
    const message = (await messages).get(delivery.sequence)
    if (message === undefined) return
    const outcome = await attemptDelivery(deps, delivery, message)
    await record({ delivery, outcome, endedAt: dueClock.now() })
  }
}
