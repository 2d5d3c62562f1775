import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api"
import { type SqlBool, sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import { isFrozen } from "#people/freezes/reads"
import type { ApiKey } from "./rules.ts"

interface UsableKey {
  id: string
  userId: string
  scopes: ApiKeyScope[]
  lastUsedAt: Date | null
  isFrozen: SqlBool
}

/** One indexed query per request. Not the key of an inactive user, nor an expired or revoked one. */
export async function findUsableKey(db: Db, tokenHash: Buffer, now: Date): Promise<UsableKey | undefined> {
  return db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .where("api_keys.token_hash", "=", tokenHash)
    .where("api_keys.revoked_at", "is", null)
    .where((row) => row.or([row("api_keys.expires_at", "is", null), row("api_keys.expires_at", ">", now)]))
    .where("users.active", "=", true)
    .select([
      "api_keys.id as id",
      "api_keys.user_id as userId",
      "api_keys.scopes as scopes",
      "api_keys.last_used_at as lastUsedAt",
      isFrozen(sql.ref("users.id")).as("isFrozen"),
    ])
    .executeTakeFirst()
}

interface Use {
  id: string
  at: Date
  address: string
  unlessUsedSince: Date
}

export async function touchKey(tx: Tx, { id, at, address, unlessUsedSince }: Use): Promise<void> {
  await tx
    .updateTable("api_keys")
    .set({ last_used_at: at, last_used_address: address })
    .where("id", "=", id)
    .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<", unlessUsedSince)]))
    .execute()
}

/** Serialises creations of one user, so that concurrent ones count like sequential ones. */
export async function lockKeysOf(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api-keys:${userId}`}, 0))`.execute(tx)
}

export async function insertKey(tx: Tx, key: ApiKey, tokenHash: Buffer): Promise<void> {
  await tx
    .insertInto("api_keys")
    .values({
      id: key.id,
      user_id: key.userId,
      token_hash: tokenHash,
      name: key.name,
      hint: key.hint,
      scopes: key.scopes,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
    } satisfies NewRow<"api_keys", "last_used_at" | "last_used_address" | "revoked_at">)
    .execute()
}

const columns = [
  "id",
  "user_id as userId",
  "name",
  "hint",
  "scopes",
  "created_at as createdAt",
  "expires_at as expiresAt",
  "last_used_at as lastUsedAt",
  "last_used_address as lastUsedAddress",
] as const

/** Also a revoked one. */
export async function findOwnKey(db: Db, { id, userId }: Pick<ApiKey, "id" | "userId">): Promise<ApiKey | undefined> {
  const keys = db.selectFrom("api_keys").select(columns).where("id", "=", id)
  return keys.where("user_id", "=", userId).executeTakeFirst()
}

/** Newest first. A user has few, so all of them. */
export async function findKeysOf(db: Db, userId: string): Promise<ApiKey[]> {
  return db
    .selectFrom("api_keys")
    .select(columns)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute()
}

/** The revoked key; none when the user has no such key any more. */
export async function markRevoked(
  tx: Tx,
  { id, userId, at }: { id: string; userId: string; at: Date },
): Promise<ApiKey | undefined> {
  return tx
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .returning(columns)
    .executeTakeFirst()
}

export async function eraseAddressesUsedBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update api_keys set last_used_address = '' where id in (
      select id from api_keys where last_used_address <> '' and last_used_at < ${moment}
      order by last_used_at limit ${limit} for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function eraseKeyRows(tx: Tx, userId: string, now: Date): Promise<void> {
  await sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${now}), name = '',
      last_used_address = case when last_used_address is not null then '' end
    where user_id = ${userId}`.execute(tx)
}
