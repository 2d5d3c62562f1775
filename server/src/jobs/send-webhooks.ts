import type { Db } from "#db/transaction"
import { askSilentEndpoints } from "#domain/integrations/webhooks/ask-silent-endpoints"
import { fanOutEvents } from "#domain/integrations/webhooks/fan-out-events"
import { listListeningSellers } from "#domain/integrations/webhooks/list-webhooks"
import { releaseDeliveries } from "#domain/integrations/webhooks/release-deliveries"
import { tellOfOutages } from "#domain/integrations/webhooks/tell-of-outages"
import type { WebhookSender } from "#domain/integrations/webhooks/webhook-sender"
import type { Events } from "#events/events"
import type { Clock } from "#kit/clock"
import type { MovableClock } from "#psp/sandbox-clock"

export interface WebhookWork {
  db: Db
  sender: WebhookSender
  clock: Clock
  /** The clock by which deliveries are due. */
  dueClock: MovableClock
  events: Pick<Events, "onEventsOf">
}

interface WebhookRun {
  /** Returns once what is due is being sent: an endpoint's patience never holds the job. */
  run(): Promise<void>
  stop(): void
}

const lookEveryMs = 900

/** Woken by events of sellers who have an endpoint alone, so that nobody else's payments cost anything here. */
export function createWebhookRun({ db, sender, clock, dueClock, events }: WebhookWork, wake: () => void): WebhookRun {
  const heard = new Map<string, () => void>()
  /** Sellers of whom there is news. */
  let news = new Set<string>()
  let lookedAtMs = Number.NEGATIVE_INFINITY

  async function look(): Promise<void> {
    lookedAtMs = performance.now()
    await dueClock.refresh()
    const sellers = new Set(await listListeningSellers(db))
    for (const [sellerId, unsubscribe] of heard) {
      if (sellers.has(sellerId)) continue
      unsubscribe()
      heard.delete(sellerId)
    }
    for (const sellerId of sellers) {
      if (!heard.has(sellerId))
        heard.set(
          sellerId,
          events.onEventsOf(sellerId, () => tell(sellerId)),
        )
    }
  }

  function tell(sellerId: string): void {
    news.add(sellerId)
    wake()
  }

  /** Whatever is due, also what nobody told of. */
  async function sendAll(): Promise<void> {
    await look()
    if (heard.size === 0) return
    await fanOutEvents({ db, clock: dueClock })
    await askSilentEndpoints({ db, dueClock })
    await sender.startDue()
    await tellOfOutages({ db, clock, dueClock })
  }

  async function sendNews(sellerIds: string[]): Promise<void> {
    if (sellerIds.length === 0) return
    // A seller's living endpoint never waits for the record of another one's failure.
    for (const held of ["skip", "wait"] as const) {
      await sender.startDue(await fanOutEvents({ db, clock: dueClock }, sellerIds, held))
    }
  }

  return {
    async run() {
      const sellerIds = [...news]
      news = new Set()
      if (performance.now() >= lookedAtMs + lookEveryMs) await sendAll()
      else await sendNews(sellerIds)
      const released = await releaseDeliveries({ db, dueClock })
      if (released === null) return
      await sender.startDue([released])
      wake()
    },
    stop() {
      for (const unsubscribe of heard.values()) unsubscribe()
      heard.clear()
    },
  }
}
