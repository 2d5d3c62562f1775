import type { Role } from "@tilinta/contract/vocabulary/people"
import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { currentMacs, isAuthentic, macOf } from "#platform/order-macs/macs"
import { type Session, sessionOrder } from "./rules.ts"

export interface StoredSession extends Session {
  mac: string
  name: string
  role: Role
  /** False where they work in others' shops alone. */
  hasShop: boolean
  isActive: boolean
  lastUsedAt: Date
  hasInitialPassword: boolean
  isFrozen: boolean
  lastAddress: string
  adminRightsFrom: Date | null
}

const facts = [
  "sessions.id",
  "sessions.token_hash as tokenHash",
  "sessions.user_id as userId",
  "sessions.viewer_id as viewerId",
  "sessions.created_at as createdAt",
  "sessions.expires_at as expiresAt",
  "sessions.stepped_up_at as steppedUpAt",
  "sessions.mac",
] as const

/** One indexed query per request: the user's row is joined to the session's, and the viewer's where an administrator looks. */
export async function findSession(db: Db, tokenHash: Buffer): Promise<StoredSession | undefined> {
  return db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .where("sessions.token_hash", "=", tokenHash)
    .where(mayStillView)
    .select(facts)
    .select((row) => [
      "users.name as name",
      "users.role as role",
      "users.has_shop as hasShop",
      "users.active as isActive",
      "users.password_is_initial as hasInitialPassword",
      row
        .exists(
          row
            .selectFrom("freezes")
            .select("freezes.id")
            .whereRef("freezes.user_id", "=", "users.id")
            .where("freezes.ended_at", "is", null),
        )
        .$castTo<boolean>()
        .as("isFrozen"),
      "sessions.last_used_at as lastUsedAt",
      "sessions.last_address as lastAddress",
      "users.admin_rights_from as adminRightsFrom",
    ])
    .executeTakeFirst()
}

/** A viewer who is no active administrator any more, or is frozen, sees nothing; and nobody looks at an administrator. */
const mayStillView = sql<boolean>`(sessions.viewer_id is null or (users.role = 'user' and exists (
  select from users viewer where viewer.id = sessions.viewer_id and viewer.role = 'admin' and viewer.active
    and not exists (select from freezes where freezes.user_id = viewer.id and freezes.ended_at is null)
)))`

export async function insertSession(
  tx: Tx,
  session: Omit<Session, "steppedUpAt"> & { address: string; userAgent: string },
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
      address: session.address,
      last_address: session.address,
      user_agent: session.userAgent,
      viewer_id: session.viewerId,
      mac: macOf(sessionOrder({ ...session, steppedUpAt: null })),
    } satisfies NewRow<"sessions", "stepped_up_at">)
    .execute()
}

interface SessionUse {
  tokenHash: Buffer
  at: Date
  address: string
  unlessUsedSince: Date
}

export async function touchSession(tx: Tx, { tokenHash, at, address, unlessUsedSince }: SessionUse): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ last_used_at: at, last_address: address })
    .where("token_hash", "=", tokenHash)
    .where("last_used_at", "<", unlessUsedSince)
    .execute()
}

/** The session's id; none when it ended meanwhile. */
export async function saveStepUp(
  tx: Tx,
  { userId, tokenHash }: { userId: string; tokenHash: Buffer },
  now: Date,
): Promise<string | undefined> {
  const query = tx
    .selectFrom("sessions")
    .select(facts)
    .where("token_hash", "=", tokenHash)
    .where("user_id", "=", userId)
  const session = await query.forUpdate().executeTakeFirst()
  if (session === undefined || !isAuthentic(sessionOrder(session), session.mac)) return undefined
  await saveFacts(tx, { ...session, steppedUpAt: now })
  return session.id
}

/** Only of a session that was authentic before, or a forged one would become good. */
async function saveFacts(tx: Tx, session: Session): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ expires_at: session.expiresAt, stepped_up_at: session.steppedUpAt, mac: macOf(sessionOrder(session)) })
    .where("id", "=", session.id)
    .execute()
}

export interface ListedSession {
  id: string
  createdAt: Date
  lastUsedAt: Date
  address: string
  lastAddress: string
  userAgent: string
  isOwn: boolean
}

/** More than a hundred sessions belong to a program, and nobody reads on. */
const LISTED = 100

export async function findLiveSessionsOf(
  db: Db,
  userId: string,
  { now, usedAfter, ownHash }: { now: Date; usedAfter: Date; ownHash: Buffer },
): Promise<ListedSession[]> {
  return db
    .selectFrom("sessions")
    .where("user_id", "=", userId)
    .where("viewer_id", "is", null)
    .where("expires_at", ">", now)
    .where("last_used_at", ">", usedAfter)
    .select((row) => [
      "id",
      "created_at as createdAt",
      "last_used_at as lastUsedAt",
      "address",
      "last_address as lastAddress",
      "user_agent as userAgent",
      row("token_hash", "=", ownHash).$castTo<boolean>().as("isOwn"),
    ])
    .orderBy("isOwn", "desc")
    .orderBy("last_used_at", "desc")
    .orderBy("id", "desc")
    .limit(LISTED)
    .execute()
}

/** False when the user has no such session. */
export async function deleteOwnSession(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const query = tx.deleteFrom("sessions").where("id", "=", id).where("user_id", "=", userId)
  const { numDeletedRows } = await query.executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** The session's id; none when it ended meanwhile. */
export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<string | undefined> {
  const deleted = await tx.deleteFrom("sessions").where("token_hash", "=", tokenHash).returning("id").executeTakeFirst()
  return deleted?.id
}

export async function deleteExpiredSessionsOf(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.deleteFrom("sessions").where("user_id", "=", userId).where("expires_at", "<=", now).execute()
}

/** Skips locked rows; they are deleted by the next run. */
export async function deleteExpiredSessions(tx: Tx, now: Date): Promise<void> {
  const expired = tx.selectFrom("sessions").select("token_hash").where("expires_at", "<=", now)
  await tx.deleteFrom("sessions").where("token_hash", "in", expired.forUpdate().skipLocked()).execute()
}

/** Serialises logins of one user, so that concurrent ones count like sequential ones. */
export async function lockSessionsOf(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sessions:${userId}`}, 0))`.execute(tx)
}

/** Deletes all but the newest; the ids of those deleted. */
export async function deleteOldestSessionsOf(tx: Tx, userId: string, kept: number): Promise<string[]> {
  const oldest = tx
    .selectFrom("sessions")
    .select("token_hash")
    .where("user_id", "=", userId)
    .where("viewer_id", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .offset(kept)
  const deleted = await tx.deleteFrom("sessions").where("token_hash", "in", oldest).returning("id").execute()
  return deleted.map(({ id }) => id)
}

/** With those in which the user looks at another's account. The ids of those deleted. */
export async function deleteSessionsOf(tx: Tx, userId: string, sparedHash: Buffer | null): Promise<string[]> {
  const deleted = await tx
    .deleteFrom("sessions")
    .where((row) => row.or([row("user_id", "=", userId), row("viewer_id", "=", userId)]))
    .$if(sparedHash !== null, (query) => query.where("token_hash", "!=", sparedHash))
    .returning("id")
    .execute()
  return deleted.map(({ id }) => id)
}

export async function capSessionsOf(tx: Tx, userId: string, endsAt: Date): Promise<void> {
  const query = tx.selectFrom("sessions").select(facts).where("user_id", "=", userId).where("expires_at", ">", endsAt)
  for (const session of await query.orderBy("id").forUpdate().execute()) {
    if (isAuthentic(sessionOrder(session), session.mac)) await saveFacts(tx, { ...session, expiresAt: endsAt })
  }
}

/** Those whose MAC another key than the first has made, locked. */
export async function lockSessionsOfFormerKey(tx: Tx, secretKeys: SecretKeys): Promise<(Session & { mac: string })[]> {
  const query = tx.selectFrom("sessions").select(facts).where("mac", "not like", currentMacs(secretKeys))
  return query.orderBy("id").forUpdate().execute()
}

export async function saveSessionMac(tx: Tx, { id }: Session, mac: string): Promise<void> {
  await tx.updateTable("sessions").set({ mac }).where("id", "=", id).execute()
}
