import type { Tx } from "#db/transaction"
import type { AuditEntry } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { publishSessionsEnded } from "#events/events"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { hashOfToken, newToken } from "#kit/secret-token"
import { endAuditOf } from "./session-audit.ts"
import { sessionLifetime } from "./session-lifetime.ts"
import { deleteExpiredSessionsOf, deleteOldestSessionsOf, insertSession, lockSessionsOf } from "./session-repository.ts"
import type { SessionUser } from "./session-user.ts"

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
  })
  await recordAudit(tx, sessionAuditOf(id, user, origin, now))
  await endOldest(tx, user.id, now)
  return token
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
