import type { Db } from "#db/transaction"
import type { Events } from "#events/events"
import type { Clock, MovableClock } from "#kit/clock"
import { fanOutEvents } from "./deliver.ts"
import { askSilentEndpoints, notifyOfOutages, releaseDeliveries } from "./outages.ts"
import type { WebhookSender } from "./sender.ts"
import { findListeningSellers, type LockedRows } from "./table.ts"

interface WebhookWork {
  db: Db
  /** The pool of what is sent. */
  deliveriesDb: Db
  sender: WebhookSender
  clock: Clock
  /** The clock by which deliveries are due. */
  dueClock: MovableClock
  events: Pick<Events, "onEventsOf">
}

interface WebhookRun {
  /** Returns once pending events are being sent; slow endpoints and the poll of all of them go on in the background. */
  run(): Promise<void>
  /** Resolves when the background poll has ended. */
  idle(): Promise<void>
  stop(): void
}

const pollEveryMs = 900

/** Listens only to sellers who have an endpoint, so that other sellers' events cost nothing here. */
export function createWebhookRun(work: WebhookWork, wake: () => void): WebhookRun {
  const { db, deliveriesDb, sender, clock, dueClock, events } = work
  const listeners = createListeners(events, addSeller)
  /** Sellers with events since the last run. */
  let sellersWithEvents = new Set<string>()
  /** Sellers whose endpoints may have been locked by another transaction in the last run. */
  let skipped = new Set<string>()
  let polledAtMs = Number.NEGATIVE_INFINITY
  let isStopped = false
  const polling = createBackgroundWork(pollEndpoints)

  async function refreshListeners(): Promise<void> {
    polledAtMs = performance.now()
    await dueClock.refresh()
    listeners.follow(new Set(await findListeningSellers(db)))
  }

  function addSeller(sellerId: string): void {
    sellersWithEvents.add(sellerId)
    wake()
  }

  /** Sends whatever is due, also where no notification came. */
  async function sendAll(): Promise<void> {
    await refreshListeners()
    if (listeners.isNone()) return
    await fanOutEvents({ db: deliveriesDb, clock: dueClock })
    await askSilentEndpoints({ db, dueClock })
    await sender.startChallenges()
    await sender.startDue()
    await notifyOfOutages({ db, clock, dueClock })
  }

  async function fanOutTo(sellerIds: ReadonlySet<string>, locked: LockedRows): Promise<void> {
    if (sellerIds.size === 0) return
    await sender.startDue(await fanOutEvents({ db: deliveriesDb, clock: dueClock }, [...sellerIds], locked))
  }

  async function fanOutToSkipped(): Promise<void> {
    while (skipped.size > 0 && !isStopped) {
      const waiting = skipped
      skipped = new Set()
      await fanOutTo(waiting, "wait")
    }
  }

  /** Runs in the background: polling every endpoint, and waiting for locked ones, may take long. */
  async function pollEndpoints(): Promise<void> {
    await fanOutToSkipped()
    if (performance.now() >= polledAtMs + pollEveryMs) await sendAll()
    await fanOutToSkipped()
    const released = await releaseDeliveries({ db, dueClock })
    if (released === null) return
    await sender.startDue([released])
    wake()
  }

  return {
    async run() {
      const sellerIds = sellersWithEvents
      sellersWithEvents = new Set()
      // A seller's living endpoint never waits for the record of another one's failure, nor for any other seller's.
      await fanOutTo(sellerIds, "skip")
      for (const id of sellerIds) skipped.add(id)
      if (!isStopped) polling.start()
      polling.report()
    },
    idle: polling.idle,
    stop() {
      isStopped = true
      listeners.follow(new Set())
    },
  }
}

function createListeners({ onEventsOf }: WebhookWork["events"], addSeller: (sellerId: string) => void) {
  const unsubscribes = new Map<string, () => void>()
  return {
    /** Listens to these sellers' events, and to no others'. */
    follow(sellers: ReadonlySet<string>): void {
      for (const [sellerId, unsubscribe] of unsubscribes) {
        if (sellers.has(sellerId)) continue
        unsubscribe()
        unsubscribes.delete(sellerId)
      }
      for (const sellerId of sellers) {
        if (unsubscribes.has(sellerId)) continue
        unsubscribes.set(
          sellerId,
          onEventsOf(sellerId, () => addSeller(sellerId)),
        )
      }
    },
    isNone: () => unsubscribes.size === 0,
  }
}

/** Work in the background of a job's runs, one at a time. */
function createBackgroundWork(work: () => Promise<void>) {
  let running: Promise<void> | null = null
  let failure: { error: unknown } | null = null
  return {
    start(): void {
      running ??= work()
        .catch((error: unknown) => {
          failure = { error }
        })
        .finally(() => {
          running = null
        })
    },
    /** Rethrows the work's failure once, so that the job's run counts as failed. */
    report(): void {
      if (failure === null) return
      const { error } = failure
      failure = null
      throw error
    },
    async idle(): Promise<void> {
      while (running !== null) await running
    },
  }
}
