import type { Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { sessionLifetime } from "./session-lifetime.ts"
import { deleteExpiredSessionsOf, insertSession } from "./session-repository.ts"
import { hashOfToken, newSessionToken } from "./session-token.ts"
import type { SessionUser } from "./session-user.ts"

/** Answers the token, which exists nowhere else afterwards. */
export async function openSession(tx: Tx, user: SessionUser, now: Date): Promise<string> {
  const token = newSessionToken()
  await deleteExpiredSessionsOf(tx, user.id, now)
  await insertSession(tx, {
    tokenHash: hashOfToken(token),
    userId: user.id,
    createdAt: now,
    expiresAt: secondsAfter(now, sessionLifetime[user.role].absoluteSeconds),
  })
  return token
}
