import { sql } from "kysely"
import type pg from "pg"
import type { Logger } from "pino"
import { prepared } from "#db/prepared"
import { type DatabaseRoute, openRoute } from "#db/route"
import type { Tx } from "#db/transaction"
import { keepListening } from "./keep-listening.ts"

/** Some change of a charge; subscribers read the charge again. */
interface ChargeEvent {
  chargeId: string
  sellerId: string
}

/** Null when events may have been missed. */
type SellerListener = (chargeId: string | null) => void

export interface Events {
  /**
   * Calls the listener for each event of the charge, and when events may have been missed. Returns the unsubscribe
   * function.
   */
  onCharge(chargeId: string, listener: () => void): () => void
  /** Calls the listener for each event of the seller's charges. Returns the unsubscribe function. */
  onSeller(sellerId: string, listener: SellerListener): () => void
  /** Calls the listener when a session of the user may have ended. Returns the unsubscribe function. */
  onSessionsOf(userId: string, listener: () => void): () => void
  /** Calls the listener for each change of a charge, whosever it is. Returns the unsubscribe function. */
  onAnyCharge(listener: () => void): () => void
  /** Calls the listener when the seller has new events in the log. Returns the unsubscribe function. */
  onEventsOf(sellerId: string, listener: () => void): () => void
  /** Calls the listener when codes must be removed at the provider. Returns the unsubscribe function. */
  onRemovalsDue(listener: () => void): () => void
  stop(): Promise<void>
}

/** Also the channel, and the form of the events, of the database's function book_payments. */
const CHANNEL = "tilinta_charges"
const SESSIONS_CHANNEL = "tilinta_sessions"
const REMOVALS_CHANNEL = "tilinta_removals"
/** Also in the database's function number_events_until, which alone writes it: the ids of sellers. */
const LOG_CHANNEL = "tilinta_events"
/** A NOTIFY payload takes 8,000 bytes, an event 74. */
const EVENTS_PER_NOTICE = 100

/** Delivered with the commit, and not at all on rollback. One notification carries many events. */
export async function publishChargeEvents(tx: Tx, events: ChargeEvent[]): Promise<void> {
  if (events.length === 0) return
  const notices: string[] = []
  for (let start = 0; start < events.length; start += EVENTS_PER_NOTICE) {
    const part = events.slice(start, start + EVENTS_PER_NOTICE)
    notices.push(part.map((event) => `${event.chargeId} ${event.sellerId}`).join(","))
  }
  await prepared("publish-charge-events")`
    select pg_notify(${CHANNEL}, payload) from unnest(string_to_array(${notices.join("|")}, '|')) payload`.execute(tx)
}

/** Streams of the user's sessions then check whether their session is still valid. */
export async function publishSessionsEnded(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_notify(${SESSIONS_CHANNEL}, ${userId})`.execute(tx)
}

/** Wakes the removal at the commit, so that the payer's bank refuses the code within a moment. */
export async function publishRemovalsDue(tx: Tx): Promise<void> {
  await sql`select pg_notify(${REMOVALS_CHANNEL}, '')`.execute(tx)
}

/** One LISTEN connection for the whole process; after a reconnect every subscriber reads again. */
export function createEvents({ url, log }: { url: string | DatabaseRoute; log: Logger }): Events {
  const charges = createListeners<() => void>()
  const sellers = createListeners<SellerListener>()
  const sessions = createListeners<() => void>()
  const removals = createListeners<() => void>()
  const anyCharge = createListeners<() => void>()
  const logs = createListeners<() => void>()

  function hear({ channel, payload = "" }: pg.Notification): void {
    if (channel === SESSIONS_CHANNEL) {
      for (const listener of sessions.of(payload)) listener()
      return
    }
    if (channel === REMOVALS_CHANNEL) {
      for (const listener of removals.all()) listener()
      return
    }
    if (channel === LOG_CHANNEL) {
      for (const sellerId of payload.split(",")) for (const listener of logs.of(sellerId)) listener()
      return
    }
    for (const listener of anyCharge.all()) listener()
    for (const event of payload.split(",")) {
      const [chargeId = "", sellerId = ""] = event.split(" ")
      for (const listener of charges.of(chargeId)) listener()
      for (const listener of sellers.of(sellerId)) listener(chargeId)
    }
  }

  function notifyEverybody(): void {
    for (const listener of charges.all()) listener()
    for (const listener of sellers.all()) listener(null)
    for (const listener of sessions.all()) listener()
    for (const listener of removals.all()) listener()
    for (const listener of anyCharge.all()) listener()
    for (const listener of logs.all()) listener()
  }

  const route = typeof url === "string" ? openRoute(url) : url
  const channels = [CHANNEL, SESSIONS_CHANNEL, REMOVALS_CHANNEL, LOG_CHANNEL]
  const connection = keepListening({ route, channels, log, hear, onListening: notifyEverybody })
  return {
    onCharge: charges.add,
    onSeller: sellers.add,
    onSessionsOf: sessions.add,
    onAnyCharge: (listener) => anyCharge.add("", listener),
    onEventsOf: logs.add,
    onRemovalsDue: (listener) => removals.add("", listener),
    stop: connection.stop,
  }
}

interface Listeners<L> {
  /** Returns the unsubscribe function. */
  add(key: string, listener: L): () => void
  of(key: string): L[]
  all(): L[]
}

/** Listeners by key; a key without listeners takes no memory. */
function createListeners<L>(): Listeners<L> {
  const byKey = new Map<string, Set<L>>()
  return {
    add(key, listener) {
      const ofKey = byKey.get(key) ?? new Set()
      byKey.set(key, ofKey.add(listener))
      return () => {
        ofKey.delete(listener)
        if (ofKey.size === 0) byKey.delete(key)
      }
    },
    of: (key) => [...(byKey.get(key) ?? [])],
    all: () => [...byKey.values()].flatMap((ofKey) => [...ofKey]),
  }
}
