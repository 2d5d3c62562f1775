import type { Selectable } from "kysely"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import type { PushKey, PushSubscription } from "./rules.ts"

export async function findPushKey(db: Db): Promise<PushKey | null> {
  const row = await db.selectFrom("push_keys").selectAll().executeTakeFirst()
  return row === undefined ? null : { publicKey: row.public_key, sealed: { keyId: row.key_id, box: row.sealed_key } }
}

function toSubscription(row: Selectable<Schema["push_subscriptions"]>): PushSubscription {
  return {
    id: row.id,
    userId: row.user_id,
    endpoint: row.endpoint,
    allowsLocal: row.allows_local,
    p256dh: row.p256dh,
    auth: row.auth,
    device: row.device,
    hideAmounts: row.hide_amounts,
    createdAt: row.created_at,
  }
}

export interface ListedSubscription extends PushSubscription {
  /** True of the session with the given token. */
  isCurrent: boolean
}

export async function listSubscriptions(db: Db, userId: string, tokenHash: Buffer): Promise<ListedSubscription[]> {
  const rows = await db
    .selectFrom("push_subscriptions")
    .innerJoin("sessions", "sessions.id", "push_subscriptions.session_id")
    .selectAll("push_subscriptions")
    .select("sessions.token_hash")
    .where("push_subscriptions.user_id", "=", userId)
    .orderBy("push_subscriptions.created_at")
    .execute()
  return rows.map((row) => ({ ...toSubscription(row), isCurrent: row.token_hash.equals(tokenHash) }))
}

/** Null for an unknown one, and for another person's. */
export async function findSubscription(db: Db, own: { id: string; userId: string }): Promise<PushSubscription | null> {
  if (!isId(own.id)) return null
  const query = db.selectFrom("push_subscriptions").selectAll().where("id", "=", own.id)
  const row = await query.where("user_id", "=", own.userId).executeTakeFirst()
  return row === undefined ? null : toSubscription(row)
}
