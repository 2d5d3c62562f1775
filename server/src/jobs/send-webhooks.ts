import type { Db } from "#db/transaction"
import { fanOutEvents } from "#domain/integrations/webhooks/fan-out-events"
import { listListeningSellers } from "#domain/integrations/webhooks/list-webhooks"
import { releaseDeliveries } from "#domain/integrations/webhooks/release-deliveries"
import type { WebhookSender } from "#domain/integrations/webhooks/webhook-sender"
import type { Events } from "#events/events"
import type { MovableClock } from "#psp/sandbox-clock"

export interface WebhookWork {
  db: Db
  sender: WebhookSender
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
export function createWebhookRun({ db, sender, dueClock, events }: WebhookWork, wake: () => void): WebhookRun {
  const heard = new Map<string, () => void>()
  let lookedAtMs = Number.NEGATIVE_INFINITY

  async function look(): Promise<void> {
    if (performance.now() < lookedAtMs + lookEveryMs) return
    lookedAtMs = performance.now()
    await dueClock.refresh()
    const sellers = new Set(await listListeningSellers(db))
    for (const [sellerId, unsubscribe] of heard) {
      if (sellers.has(sellerId)) continue
      unsubscribe()
      heard.delete(sellerId)
    }
    for (const sellerId of sellers) {
      if (!heard.has(sellerId)) heard.set(sellerId, events.onEventsOf(sellerId, wake))
    }
    await releaseDeliveries({ db, dueClock })
  }

  return {
    async run() {
      await look()
      if (heard.size === 0) return
      await fanOutEvents({ db, clock: dueClock })
      await sender.startDue()
    },
    stop() {
      for (const unsubscribe of heard.values()) unsubscribe()
      heard.clear()
    },
  }
}
