import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { hashOfToken, isToken, isViewToken } from "#kit/secrets"
import { isAuthentic, reportForgedOrder } from "#platform/order-macs/macs"
import { sessionOrder } from "./rules.ts"
import { isFresh, type SessionUser, sessionLifetime } from "./sessions.ts"
import { findLiveSessionsOf, findSession, type ListedSession, type StoredSession, touchSession } from "./table.ts"

const touchEverySeconds = 5 * 60
/** An address that was never seen is written sooner, but two that take turns don't write at each request. */
const moveEverySeconds = 30

interface AuthenticatedUser extends SessionUser {
  name: string
  /** False where they work in others' shops alone. */
  hasShop: boolean
  /** True for minutes after a step-up in this session. */
  isFresh: boolean
  /** True while the password is the one that the server made for the first administrator. */
  hasInitialPassword: boolean
  /** The owner said that it wasn't them, and nobody has lifted that yet. */
  isFrozen: boolean
  /** When a new administrator may do more than look; null where they may. */
  adminRightsFrom: Date | null
  /** The administrator who only looks at the account; null where the owner signed in. */
  viewerId: string | null
}

/** Null unless the token is a live session of an active user, as this platform opened it. */
export async function authenticate(
  { db, clock }: { db: Db; clock: Clock },
  { token, address }: { token: string; address: string },
): Promise<AuthenticatedUser | null> {
  if (!isToken(token) && !isViewToken(token)) return null

  const tokenHash = hashOfToken(token)
  const session = await findSession(db, tokenHash)
  const now = clock.now()
  if (session === undefined || !session.isActive || hasEnded(session, now)) return null
  const order = sessionOrder(session)
  if (!isAuthentic(order, session.mac)) {
    await db.transaction().execute((tx: Tx) => reportForgedOrder(tx, order, now))
    return null
  }

  const hasMoved = session.lastAddress !== address
  const unlessUsedSince = secondsAfter(now, -(hasMoved ? moveEverySeconds : touchEverySeconds))
  if (session.lastUsedAt < unlessUsedSince) {
    await db.transaction().execute((tx: Tx) => touchSession(tx, { tokenHash, at: now, address, unlessUsedSince }))
  }
  const { userId: id, name, role, hasShop, hasInitialPassword, isFrozen, adminRightsFrom, viewerId } = session
  const rights = { isFresh: isFresh(session.steppedUpAt, now), hasInitialPassword, isFrozen, adminRightsFrom, viewerId }
  return { id, name, role, hasShop, ...rights }
}

function hasEnded(session: StoredSession, now: Date): boolean {
  const idleUntil = secondsAfter(session.lastUsedAt, sessionLifetime[session.role].idleSeconds)
  return session.expiresAt <= now || idleUntil <= now
}

/** The caller's session first, then the most recently used. */
export async function listSessions(
  { db, clock }: { db: Db; clock: Clock },
  { id, role }: SessionUser,
  token: string,
): Promise<ListedSession[]> {
  const now = clock.now()
  const usedAfter = secondsAfter(now, -sessionLifetime[role].idleSeconds)
  return findLiveSessionsOf(db, id, { now, usedAfter, ownHash: hashOfToken(token) })
}
