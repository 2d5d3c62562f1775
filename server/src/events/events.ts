import { sql } from "kysely"
import pg from "pg"
import type { Logger } from "pino"
import type { Tx } from "#db/transaction"
import { createListeners } from "./listeners.ts"

/** Something about a charge changed: whoever shows it reads it again. */
export interface ChargeEvent {
  chargeId: string
  sellerId: string
}

/** Null when some may have been missed. */
export type SellerListener = (chargeId: string | null) => void

export interface Events {
  /** Called for each event of the charge, and when events may have been missed. Returns the way to stop. */
  onCharge(chargeId: string, listener: () => void): () => void
  /** Called for each event of the seller's charges. Returns the way to stop. */
  onSeller(sellerId: string, listener: SellerListener): () => void
  /** Called when a session of the user may have ended. Returns the way to stop. */
  onSessionsOf(userId: string, listener: () => void): () => void
  stop(): Promise<void>
}

const CHANNEL = "tilinta_charges"
const SESSIONS_CHANNEL = "tilinta_sessions"
/** A payload holds 8,000 bytes, an event 74. */
const EVENTS_PER_NOTICE = 100

/** Sent with the commit, and not at all when it fails. One notice tells of many events. */
export async function publishChargeEvents(tx: Tx, events: ChargeEvent[]): Promise<void> {
  if (events.length === 0) return
  const notices: string[] = []
  for (let start = 0; start < events.length; start += EVENTS_PER_NOTICE) {
    const part = events.slice(start, start + EVENTS_PER_NOTICE)
    notices.push(part.map((event) => `${event.chargeId} ${event.sellerId}`).join(","))
  }
  await sql`/* prepared publish-charge-events */
    select pg_notify(${CHANNEL}, payload) from unnest(string_to_array(${notices.join("|")}, '|')) payload`.execute(tx)
}

/** Whoever streams to one of the user's sessions asks whether it still lives. */
export async function publishSessionsEnded(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_notify(${SESSIONS_CHANNEL}, ${userId})`.execute(tx)
}

/** One listening connection for the whole process; when it was lost, everybody reads again. */
export function createEvents({ url, log }: { url: string; log: Logger }): Events {
  const charges = createListeners<() => void>()
  const sellers = createListeners<SellerListener>()
  const sessions = createListeners<() => void>()
  let client: pg.Client | null = null
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  function hear({ channel, payload = "" }: pg.Notification): void {
    if (channel === SESSIONS_CHANNEL) {
      for (const listener of sessions.of(payload)) listener()
      return
    }
    for (const event of payload.split(",")) {
      const [chargeId = "", sellerId = ""] = event.split(" ")
      for (const listener of charges.of(chargeId)) listener()
      for (const listener of sellers.of(sellerId)) listener(chargeId)
    }
  }

  function tellEverybody(): void {
    for (const listener of charges.all()) listener()
    for (const listener of sellers.all()) listener(null)
    for (const listener of sessions.all()) listener()
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
    next.on("notification", hear)
    client = next
    await next.connect()
    await next.query(`listen ${CHANNEL}; listen ${SESSIONS_CHANNEL}`)
    tellEverybody()
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
    onCharge: charges.add,
    onSeller: sellers.add,
    onSessionsOf: sessions.add,
    async stop() {
      stopped = true
      clearTimeout(retry)
      await client?.end().catch(() => undefined)
    },
  }
}
