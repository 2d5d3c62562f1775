import { sql } from "kysely"
import type { Tx } from "#db/transaction"
import type { Sealed } from "#kit/secrets"
import type { Notice } from "#platform/mails/notice"
import type { PushKey, PushSubscription } from "./rules.ts"

/** Two nodes that start at once store one. */
export async function insertKeyOnce(tx: Tx, { publicKey, sealed }: PushKey, now: Date): Promise<void> {
  await tx
    .insertInto("push_keys")
    .values({ public_key: publicKey, key_id: sealed.keyId, sealed_key: sealed.box, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Null where the key is sealed with this one already. */
export async function lockKeySealedOtherwise(tx: Tx, keyId: string): Promise<PushKey | null> {
  const row = await tx.selectFrom("push_keys").selectAll().where("key_id", "<>", keyId).forUpdate().executeTakeFirst()
  return row === undefined ? null : { publicKey: row.public_key, sealed: { keyId: row.key_id, box: row.sealed_key } }
}

export async function saveResealed(tx: Tx, { keyId, box }: Sealed): Promise<void> {
  await tx.updateTable("push_keys").set({ key_id: keyId, sealed_key: box }).execute()
}

/** Locks the person's subscriptions, so that two of one browser are counted once. */
export async function lockSubscriptionsOf(
  tx: Tx,
  userId: string,
): Promise<{ endpoint: string; hideAmounts: boolean }[]> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx)
  const query = tx.selectFrom("push_subscriptions").select(["endpoint", "hide_amounts as hideAmounts"])
  return query.where("user_id", "=", userId).execute()
}

/** Keeps the session from ending until it has its subscription. Null when it has ended already. */
export async function lockSession(tx: Tx, tokenHash: Buffer): Promise<string | null> {
  const query = tx.selectFrom("sessions").select("id").where("token_hash", "=", tokenHash).forKeyShare()
  return (await query.executeTakeFirst())?.id ?? null
}

/** A browser has one endpoint: another person who signs in there takes it over. Returns the row's id. */
export async function saveSubscription(
  tx: Tx,
  subscription: PushSubscription & { sessionId: string },
): Promise<string> {
  const { id, userId, sessionId, endpoint, allowsLocal, p256dh, auth, device, hideAmounts, createdAt } = subscription
  const browser = { p256dh, auth, device, hide_amounts: hideAmounts, allows_local: allowsLocal }
  const values = { user_id: userId, session_id: sessionId, ...browser }
  const saved = await tx
    .insertInto("push_subscriptions")
    .values({ id, endpoint, created_at: createdAt, ...values })
    .onConflict((conflict) => conflict.column("endpoint").doUpdateSet(values))
    .returning("id")
    .executeTakeFirstOrThrow()
  return saved.id
}

/** False for an unknown one, and for another person's. */
export async function deleteSubscription(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("push_subscriptions")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export interface ClaimedPush {
  id: number
  subscription: PushSubscription
  content: Notice
  tag: string
  attempts: number
  createdAt: Date
}

/** Leases pushes until `until`; a crash leaves them to the next claim. */
export async function claimPushes(
  tx: Tx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<ClaimedPush[]> {
  const { rows } = await sql<ClaimedPush>`
    update pushes push set attempts = push.attempts + 1, send_after = ${until}
    from push_subscriptions subscription
    where subscription.id = push.subscription_id and push.id in (
      select id from pushes where send_after <= ${now} order by send_after limit ${limit} for update skip locked
    )
    returning push.id, push.content, push.tag, push.attempts, push.created_at as "createdAt", jsonb_build_object(
      'id', subscription.id, 'userId', subscription.user_id, 'endpoint', subscription.endpoint,
      'allowsLocal', subscription.allows_local, 'p256dh', subscription.p256dh, 'auth', subscription.auth, 'hideAmounts', subscription.hide_amounts
    ) as subscription`.execute(tx)
  return rows
}

export async function deletePushes(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await sql`delete from pushes where id = any(${[...ids]}::bigint[])`.execute(tx)
}

export async function postponePush(tx: Tx, id: number, sendAfter: Date): Promise<void> {
  await sql`update pushes set send_after = ${sendAfter} where id = ${id}`.execute(tx)
}
