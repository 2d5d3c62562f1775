import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { publishSessionsEnded } from "#events/events"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { closeSessionsOf } from "./close-session.ts"
import { endAuditOf } from "./session-audit.ts"
import { deleteOwnSession } from "./session-repository.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface OwnSession {
  id: string
  owner: Actor
}

export async function endSession({ db, clock }: Deps, session: OwnSession): Promise<void> {
  const isEnded = isId(session.id) && (await db.transaction().execute((tx) => endOwn(tx, session, clock.now())))
  if (!isEnded) throw new DomainError("session_not_found")
}

async function endOwn(tx: Tx, { id, owner }: OwnSession, now: Date): Promise<boolean> {
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
