import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { hashOfToken, isToken } from "#kit/secret-token"
import { sessionLifetime } from "./session-lifetime.ts"
import { findSession, type StoredSession, touchSession } from "./session-repository.ts"
import type { SessionUser } from "./session-user.ts"
import { isFresh } from "./step-up-session.ts"

const touchEverySeconds = 5 * 60

interface AuthenticatedUser extends SessionUser {
  /** True for minutes after a step-up in this session. */
  isFresh: boolean
}

/** Null unless the token is a live session of an active user. */
export async function authenticate(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
): Promise<AuthenticatedUser | null> {
  if (!isToken(token)) return null

  const tokenHash = hashOfToken(token)
  const session = await findSession(db, tokenHash)
  const now = clock.now()
  if (session === undefined || !session.isActive || hasEnded(session, now)) return null

  const staleBefore = secondsAfter(now, -touchEverySeconds)
  if (session.lastUsedAt < staleBefore) {
    await db.transaction().execute((tx: Tx) => touchSession(tx, tokenHash, now, staleBefore))
  }
  return { id: session.userId, role: session.role, isFresh: isFresh(session.steppedUpAt, now) }
}

function hasEnded(session: StoredSession, now: Date): boolean {
  const idleUntil = secondsAfter(session.lastUsedAt, sessionLifetime[session.role].idleSeconds)
  return session.expiresAt <= now || idleUntil <= now
}
