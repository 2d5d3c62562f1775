import type { Role } from "@tilinta/contract/vocabulary/roles"
import type { Db, Tx } from "#db/transaction"

export interface StoredSession {
  userId: string
  role: Role
  isActive: boolean
  lastUsedAt: Date
  expiresAt: Date
}

/** One indexed query for every request: the user's row comes with the session's. */
export async function findSession(db: Db, tokenHash: Buffer): Promise<StoredSession | undefined> {
  return db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .where("sessions.token_hash", "=", tokenHash)
    .select([
      "users.id as userId",
      "users.role as role",
      "users.active as isActive",
      "sessions.last_used_at as lastUsedAt",
      "sessions.expires_at as expiresAt",
    ])
    .executeTakeFirst()
}

export async function insertSession(
  tx: Tx,
  session: { id: string; tokenHash: Buffer; userId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto("sessions")
    .values({
      id: session.id,
      token_hash: session.tokenHash,
      user_id: session.userId,
      created_at: session.createdAt,
      last_used_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute()
}

export async function touchSession(tx: Tx, tokenHash: Buffer, usedAt: Date, unlessUsedSince: Date): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ last_used_at: usedAt })
    .where("token_hash", "=", tokenHash)
    .where("last_used_at", "<", unlessUsedSince)
    .execute()
}

export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom("sessions").where("token_hash", "=", tokenHash).execute()
}

export async function deleteExpiredSessionsOf(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.deleteFrom("sessions").where("user_id", "=", userId).where("expires_at", "<=", now).execute()
}

export async function deleteExpiredSessions(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom("sessions").where("expires_at", "<=", now).execute()
}

export async function deleteSessionsOf(tx: Tx, userId: string, sparedHash: Buffer | null): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .$if(sparedHash !== null, (query) => query.where("token_hash", "!=", sparedHash))
    .execute()
}
