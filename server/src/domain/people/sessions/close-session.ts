import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { publishSessionsEnded } from "#events/events"
import { type Clock, secondsAfter } from "#kit/clock"
import { hashOfToken } from "#kit/secret-token"
import { endAuditOf } from "./session-audit.ts"
import { sessionLifetime } from "./session-lifetime.ts"
import { capSessionsOf, deleteSession, deleteSessionsOf } from "./session-repository.ts"
import type { SessionUser } from "./session-user.ts"

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
