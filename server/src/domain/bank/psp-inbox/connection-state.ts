import type { Db, Tx } from "#db/transaction"
import type { RecentContacts } from "#psp/psp"
import { findConnection, updateContact } from "./psp-inbox-repository.ts"

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
export async function saveContact(tx: Tx, provider: string, news: RecentContacts): Promise<void> {
  await updateContact(tx, provider, news)
}
