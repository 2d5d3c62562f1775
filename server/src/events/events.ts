import { sql } from "kysely"
import pg from "pg"
import type { Logger } from "pino"
import type { Tx } from "#db/transaction"

/** Something about a charge changed: whoever shows it reads it again. */
export interface ChargeEvent {
  chargeId: string
  sellerId: string
}

export interface Events {
  /** Called for each event of the charge, and when events may have been missed. Returns the way to stop. */
  onCharge(chargeId: string, listener: () => void): () => void
  stop(): Promise<void>
}

const CHANNEL = "tilinta_charges"
/** A payload holds 8,000 bytes, an event 74. */
const EVENTS_PER_NOTICE = 100

/** Sent with the commit, and not at all when it fails. One notice tells of many events. */
export async function publishChargeEvents(tx: Tx, events: ChargeEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += EVENTS_PER_NOTICE) {
    const payload = events
      .slice(start, start + EVENTS_PER_NOTICE)
      .map((event) => `${event.chargeId} ${event.sellerId}`)
      .join(",")
    await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(tx)
  }
}

/** One listening connection for the whole process; when it was lost, everybody reads again. */
export function createEvents({ url, log }: { url: string; log: Logger }): Events {
  const listeners = new Map<string, Set<() => void>>()
  let client: pg.Client | null = null
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  function tell(chargeId: string): void {
    for (const listener of listeners.get(chargeId) ?? []) listener()
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: "tilinta events",
      keepAlive: true,
      // A listener hears nothing for hours: without it a silently lost connection would go unnoticed.
      keepAliveInitialDelayMillis: 10_000,
    })
    next.on("error", () => undefined)
    next.on("end", () => {
      if (client === next) reconnectLater()
    })
    next.on("notification", ({ payload }) => {
      for (const event of payload?.split(",") ?? []) tell(event.slice(0, 36))
    })
    client = next
    await next.connect()
    await next.query(`listen ${CHANNEL}`)
    for (const chargeId of listeners.keys()) tell(chargeId)
  }

  function reconnectLater(): void {
    if (stopped) return
    clearTimeout(retry)
    retry = setTimeout(() => {
      connect().catch((error: unknown) => {
        log.warn({ err: error }, "the event connection failed; trying again")
        reconnectLater()
      })
    }, 500)
  }

  connect().catch(reconnectLater)

  return {
    onCharge(chargeId, listener) {
      const ofCharge = listeners.get(chargeId) ?? new Set()
      listeners.set(chargeId, ofCharge.add(listener))
      return () => {
        ofCharge.delete(listener)
        if (ofCharge.size === 0) listeners.delete(chargeId)
      }
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      await client?.end().catch(() => undefined)
    },
  }
}
