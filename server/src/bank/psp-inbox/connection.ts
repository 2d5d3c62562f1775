import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, saoPauloDay, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import { randomAlphanumeric } from "#kit/ids"
import type { Psp, RecentContacts } from "#psp/psp"
import { findConnection } from "./reads.ts"
import {
  insertConnectionOnce,
  updateConnected,
  updateContact,
  updatePayoutsSeenUntil,
  updateReceiptsSeenUntil,
  updateStampOffset,
} from "./table.ts"

interface PspConnection {
  /** Part of the webhook's address: without it a caller gets nowhere. */
  webhookSecret: string
}

/** Created at the first start with this provider; the same for every node ever after. */
export async function ensurePspConnection(
  { db, clock }: { db: Db; clock: Clock },
  provider: string,
): Promise<PspConnection> {
  const now = clock.now()
  const seen = { connectedAt: now, receiptsSeenUntil: secondsAfter(now, -86_400) }
  const fresh = { provider, webhookSecret: randomAlphanumeric(32), ...seen }
  await db.transaction().execute((tx) => insertConnectionOnce(tx, fresh))
  return { webhookSecret: (await getConnection(db, provider)).webhook_secret }
}

/** Remembers which providers this installation can ask; all others can't be asked any more. */
export async function saveConnected(db: Db, providers: readonly string[]): Promise<void> {
  await db.transaction().execute((tx) => updateConnected(tx, providers))
}

export async function readReceiptsSeenUntil(db: Db, provider: string): Promise<Date> {
  return (await getConnection(db, provider)).receipts_seen_until
}

export interface Seen {
  until: Date
  /** No poll can have seen more than this. */
  believableUntil: Date
}

/** Stores what this process has found out about the provider's stamps, else takes over what another one has. */
export async function shareStampOffset(
  db: Db,
  { name, stampOffset }: Pick<Psp, "name" | "stampOffset">,
): Promise<void> {
  if (stampOffset === undefined) return
  if (stampOffset.isNews) {
    stampOffset.isNews = false
    await db.transaction().execute((tx) => updateStampOffset(tx, name, stampOffset.hours))
    return
  }
  const stored = (await getConnection(db, name)).stamps_missing_hours
  if (!stampOffset.isNews) stampOffset.hours = stored
}

export async function saveReceiptsSeenUntil(tx: Tx, provider: string, seen: Seen): Promise<void> {
  await updateReceiptsSeenUntil(tx, { provider, ...seen })
}

/** The first day with this provider; earlier days are not compared. */
export async function readConnectedDay(db: Db, provider: string): Promise<Day> {
  return saoPauloDay((await getConnection(db, provider)).connected_at)
}

export async function readPayoutsSeenUntil(db: Db, provider: string): Promise<Date> {
  return (await getConnection(db, provider)).payouts_seen_until
}

export async function savePayoutsSeenUntil(tx: Tx, provider: string, seen: Seen): Promise<void> {
  await updatePayoutsSeenUntil(tx, { provider, ...seen })
}

async function getConnection(db: Db, provider: string) {
  const connection = await findConnection(db, provider)
  invariant(connection !== undefined, `no connection of ${provider}`)
  return connection
}

export interface ConnectionState {
  receiptsSeenUntil: Date
  lastContactAt: Date | null
  lastFailure: { at: Date; call: string; message: string } | null
  lastWebhookAt: Date | null
  webhookRegisteredAt: Date | null
}

/** Null before the first start with this provider. */
export async function readConnectionState(db: Db, provider: string): Promise<ConnectionState | null> {
  const row = await findConnection(db, provider)
  if (row === undefined) return null
  const { last_failure_at: at, last_failure_call: call, last_failure: message } = row
  return {
    receiptsSeenUntil: row.receipts_seen_until,
    lastContactAt: row.last_contact_at,
    lastFailure: at === null || call === null || message === null ? null : { at, call, message },
    lastWebhookAt: row.last_webhook_at,
    webhookRegisteredAt: row.webhook_registered_at,
  }
}

/** With several nodes the latest report wins. */
export async function saveContact(tx: Tx, provider: string, contacts: RecentContacts): Promise<void> {
  await updateContact(tx, provider, contacts)
}
