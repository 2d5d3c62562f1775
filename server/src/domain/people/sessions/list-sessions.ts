import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { hashOfToken } from "#kit/secret-token"
import { sessionLifetime } from "./session-lifetime.ts"
import { findLiveSessionsOf, type ListedSession } from "./session-repository.ts"
import type { SessionUser } from "./session-user.ts"

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
