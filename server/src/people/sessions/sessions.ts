import type { Role } from "@tilinta/contract/vocabulary/people"
import type { Db, Tx } from "#db/transaction"
import { publishSessionsEnded } from "#events/events"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { hashOfToken, newToken, newViewToken, type SecretKeys } from "#kit/secrets"
import { recordAudit } from "#platform/audit/record"
import type { Actor, AuditEntry } from "#platform/audit/rules"
import { renewMacs } from "#platform/order-macs/macs"
import { type Session, sessionOrder } from "./rules.ts"
import {
  capSessionsOf,
  deleteExpiredSessionsOf,
  deleteOldestSessionsOf,
  deleteOwnSession,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  lockSessionsOf,
  lockSessionsOfFormerKey,
  saveSessionMac,
  saveStepUp,
} from "./table.ts"

export interface SessionOrigin {
  address: string
  userAgent: string
}

/** More than a person's devices; a program that logs in for each call ends its own oldest ones. */
const MOST_SESSIONS = 20

/** Returns the token, which is stored nowhere. Beyond the user's most sessions the oldest ends. */
export async function openSession(tx: Tx, user: SessionUser, origin: SessionOrigin, now: Date): Promise<string> {
  const token = newToken()
  const id = newId()
  await lockSessionsOf(tx, user.id)
  await deleteExpiredSessionsOf(tx, user.id, now)
  await insertSession(tx, {
    id,
    tokenHash: hashOfToken(token),
    userId: user.id,
    ...origin,
    createdAt: now,
    expiresAt: secondsAfter(now, sessionLifetime[user.role].absoluteSeconds),
    viewerId: null,
  })
  await recordAudit(tx, sessionAuditOf(id, user, origin, now))
  await endOldest(tx, user.id, now)
  return token
}

const VIEW_SECONDS = 15 * 60

/** A session in which an administrator looks at the user's account: `guardViews` keeps it from anything else. */
export async function openViewSession(
  tx: Tx,
  { userId, viewer }: { userId: string; viewer: Actor },
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newViewToken()
  const expiresAt = secondsAfter(now, VIEW_SECONDS)
  await insertSession(tx, {
    id: newId(),
    tokenHash: hashOfToken(token),
    userId,
    createdAt: now,
    expiresAt,
    address: viewer.address ?? "",
    userAgent: viewer.device ?? "",
    viewerId: viewer.id,
  })
  await recordAudit(tx, {
    actor: viewer,
    happenedAt: now,
    action: "user.viewed",
    entity: "user",
    entityId: userId,
    before: null,
    after: { expiresAt },
  })
  return { token, expiresAt }
}

async function endOldest(tx: Tx, userId: string, now: Date): Promise<void> {
  const ids = await deleteOldestSessionsOf(tx, userId, MOST_SESSIONS)
  if (ids.length === 0) return
  await recordAudit(tx, endAuditOf("session.ended", { ids, userId, by: null }, now))
  await publishSessionsEnded(tx, userId)
}

/** Sessions are deleted when they end: afterwards only this record tells from where the account was used. */
function sessionAuditOf(id: string, user: SessionUser, { address, userAgent }: SessionOrigin, now: Date): AuditEntry {
  return {
    actor: { id: user.id, address, device: userAgent },
    happenedAt: now,
    action: "session.opened",
    entity: "session",
    entityId: id,
    before: null,
    after: { userId: user.id, userAgent },
  }
}

interface OwnSession {
  owner: Actor
  token: string
}

export async function closeSession({ db, clock }: { db: Db; clock: Clock }, own: OwnSession): Promise<void> {
  await db.transaction().execute((tx) => signOut(tx, own, clock.now()))
}

async function signOut(tx: Tx, { owner, token }: OwnSession, now: Date): Promise<void> {
  const id = await deleteSession(tx, hashOfToken(token))
  if (id === undefined) return
  await recordAudit(tx, endAuditOf("session.closed", { ids: [id], userId: owner.id, by: owner }, now))
  await publishSessionsEnded(tx, owner.id)
}

interface Ending {
  /** The session that stays open. */
  spared: { token: string } | null
  /** Null where the platform ends them. */
  by: Actor | null
}

/** Ends every session of the user, except the spared one; returns how many. */
export async function closeSessionsOf(tx: Tx, userId: string, { spared, by }: Ending, now: Date): Promise<number> {
  const ids = await deleteSessionsOf(tx, userId, spared === null ? null : hashOfToken(spared.token))
  if (ids.length > 0) await recordAudit(tx, endAuditOf("session.ended", { ids, userId, by }, now))
  await publishSessionsEnded(tx, userId)
  return ids.length
}

/** A session opened under another role is capped to this role's lifetime. */
export async function shortenSessionsOf(tx: Tx, { id, role }: SessionUser, now: Date): Promise<void> {
  await capSessionsOf(tx, id, secondsAfter(now, sessionLifetime[role].absoluteSeconds))
}

interface Deps {
  db: Db
  clock: Clock
}

interface EndedSession {
  id: string
  owner: Actor
}

export async function endSession({ db, clock }: Deps, session: EndedSession): Promise<void> {
  const isEnded = isId(session.id) && (await db.transaction().execute((tx) => endOwn(tx, session, clock.now())))
  if (!isEnded) throw new DomainError("session_not_found")
}

async function endOwn(tx: Tx, { id, owner }: EndedSession, now: Date): Promise<boolean> {
  const isEnded = await deleteOwnSession(tx, { id, userId: owner.id })
  if (!isEnded) return false
  await recordAudit(tx, endAuditOf("session.ended", { ids: [id], userId: owner.id, by: owner }, now))
  await publishSessionsEnded(tx, owner.id)
  return true
}

/** Ends every session but the caller's. */
export async function endOtherSessions({ db, clock }: Deps, owner: Actor, token: string): Promise<void> {
  await db.transaction().execute((tx) => closeSessionsOf(tx, owner.id, { spared: { token }, by: owner }, clock.now()))
}

interface Ended {
  /** The sessions that ended. */
  ids: readonly string[]
  userId: string
  /** Null where the platform ended them. */
  by: Actor | null
}

/** Sessions are deleted when they end, so this record alone tells when, and by whom. */
function endAuditOf(
  action: "session.closed" | "session.ended",
  { ids, userId, by }: Ended,
  happenedAt: Date,
): AuditEntry {
  const [id = userId] = ids
  return {
    actor: by,
    happenedAt,
    action,
    entity: "session",
    entityId: ids.length === 1 ? id : userId,
    before: null,
    after: { userId, sessions: ids.length },
  }
}

const hour = 3600
const day = 24 * hour

/** An admin's stolen session is worth more, so it expires sooner. */
export const sessionLifetime = {
  user: { idleSeconds: 7 * day, absoluteSeconds: 30 * day },
  admin: { idleSeconds: 12 * hour, absoluteSeconds: day },
} as const satisfies Record<Role, { idleSeconds: number; absoluteSeconds: number }>

/** The session's user as the database has it now, not as it was at login. */
export interface SessionUser {
  id: string
  role: Role
}

const freshSeconds = 5 * 60
/** Nodes' clocks may differ by so much. */
const skewSeconds = 30

/** A moment in the future is another node's clock, or ours was set back: that session isn't fresh for longer. */
export function isFresh(steppedUpAt: Date | null, now: Date): boolean {
  if (steppedUpAt === null) return false
  return steppedUpAt <= secondsAfter(now, skewSeconds) && now < secondsAfter(steppedUpAt, freshSeconds)
}

/** Returns until when the session is fresh. */
export async function markSteppedUp(
  tx: Tx,
  { owner, token }: { owner: Actor; token: string },
  now: Date,
): Promise<Date> {
  const sessionId = await saveStepUp(tx, { userId: owner.id, tokenHash: hashOfToken(token) }, now)
  if (sessionId === undefined) throw new DomainError("unauthenticated")
  await recordAudit(tx, {
    actor: owner,
    happenedAt: now,
    action: "session.stepped_up",
    entity: "session",
    entityId: sessionId,
    before: null,
    after: { userId: owner.id },
  })
  return secondsAfter(now, freshSeconds)
}

/** For a rotation of SECRETS_KEY; how many sessions got another MAC. */
export async function renewSessionMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  return renewMacs<Session & { mac: string }>(secretKeys, {
    rows: await lockSessionsOfFormerKey(tx, secretKeys),
    orderOf: sessionOrder,
    save: (row, mac) => saveSessionMac(tx, row, mac ?? row.mac),
  })
}
