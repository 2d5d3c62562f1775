import type { Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { hashOfToken, newToken } from "#kit/secret-token"
import { sessionLifetime } from "./session-lifetime.ts"
import { deleteExpiredSessionsOf, insertSession } from "./session-repository.ts"
import type { SessionUser } from "./session-user.ts"

export interface SessionOrigin {
  address: string
  userAgent: string
}

/** Returns the token, which is stored nowhere. */
export async function openSession(tx: Tx, user: SessionUser, origin: SessionOrigin, now: Date): Promise<string> {
  const token = newToken()
  await deleteExpiredSessionsOf(tx, user.id, now)
  await insertSession(tx, {
    id: newId(),
    tokenHash: hashOfToken(token),
    userId: user.id,
    ...origin,
    createdAt: now,
    expiresAt: secondsAfter(now, sessionLifetime[user.role].absoluteSeconds),
  })
  return token
}
