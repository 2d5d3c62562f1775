import type { Db } from "#db/transaction"
import type { Events } from "#events/events"
import type { Clock, MovableClock } from "#kit/clock"
import { fanOutEvents } from "./deliver.ts"
import { askSilentEndpoints, releaseDeliveries, tellOfOutages } from "./outages.ts"
import type { WebhookSender } from "./sender.ts"
import type { Held } from "./table.ts"
import { findListeningSellers } from "./table.ts"

export interface WebhookWork {
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
  /** Returns once the news is being sent: neither an endpoint's patience nor the look at all of them holds the job. */
  run(): Promise<void>
  /** Resolves when nothing is looked at besides. */
  idle(): Promise<void>
  stop(): void
}

const lookEveryMs = 900

/** Woken by events of sellers who have an endpoint alone, so that nobody else's payments cost anything here. */
export function createWebhookRun(work: WebhookWork, wake: () => void): WebhookRun {
  const { db, deliveriesDb, sender, clock, dueClock, events } = work
  const listeners = createListeners(events, tell)
  /** Sellers of whom there is news. */
  let news = new Set<string>()
  /** Sellers whose endpoints were perhaps held by another transaction when their news came. */
  let held = new Set<string>()
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let isStopped = false
  const besides = createSideWork(workBesides)

  async function look(): Promise<void> {
    lookedAtMs = performance.now()
    await dueClock.refresh()
    listeners.follow(new Set(await findListeningSellers(db)))
  }

  function tell(sellerId: string): void {
    news.add(sellerId)
    wake()
  }

  /** Whatever is due, also what nobody told of. */
  async function sendAll(): Promise<void> {
    await look()
    if (listeners.isNone()) return
    await fanOutEvents({ db: deliveriesDb, clock: dueClock })
    await askSilentEndpoints({ db, dueClock })
    await sender.startDue()
    await tellOfOutages({ db, clock, dueClock })
  }

  async function tellOf(sellerIds: ReadonlySet<string>, others: Held): Promise<void> {
    if (sellerIds.size === 0) return
    await sender.startDue(await fanOutEvents({ db: deliveriesDb, clock: dueClock }, [...sellerIds], others))
  }

  async function tellOfHeld(): Promise<void> {
    while (held.size > 0 && !isStopped) {
      const waiting = held
      held = new Set()
      await tellOf(waiting, "wait")
    }
  }

  /** The visit of every endpoint, and of those that another transaction holds, may take its time. */
  async function workBesides(): Promise<void> {
    await tellOfHeld()
    if (performance.now() >= lookedAtMs + lookEveryMs) await sendAll()
    await tellOfHeld()
    const released = await releaseDeliveries({ db, dueClock })
    if (released === null) return
    await sender.startDue([released])
    wake()
  }

  return {
    async run() {
      const told = news
      news = new Set()
      // A seller's living endpoint never waits for the record of another one's failure, nor for any other seller's.
      await tellOf(told, "skip")
      for (const id of told) held.add(id)
      if (!isStopped) besides.start()
      besides.report()
    },
    idle: besides.idle,
    stop() {
      isStopped = true
      listeners.follow(new Set())
    },
  }
}

function createListeners({ onEventsOf }: WebhookWork["events"], tell: (sellerId: string) => void) {
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
          onEventsOf(sellerId, () => tell(sellerId)),
        )
      }
    },
    isNone: () => unsubscribes.size === 0,
  }
}

/** Work that goes on beside the runs of a job, once at a time. */
function createSideWork(work: () => Promise<void>) {
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
    /** Throws what it failed with, once, so that the job's run counts as failed. */
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
