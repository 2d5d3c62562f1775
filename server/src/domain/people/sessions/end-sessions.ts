import type { Db, Tx } from "#db/transaction"
import { publishSessionsEnded } from "#events/events"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { closeSessionsOf } from "./close-session.ts"
import { deleteOwnSession } from "./session-repository.ts"

interface OwnSession {
  id: string
  userId: string
}

export async function endSession(db: Db, session: OwnSession): Promise<void> {
  const isEnded = isId(session.id) && (await db.transaction().execute((tx) => endOwn(tx, session)))
  if (!isEnded) throw new DomainError("session_not_found")
}

async function endOwn(tx: Tx, session: OwnSession): Promise<boolean> {
  const isEnded = await deleteOwnSession(tx, session)
  if (isEnded) await publishSessionsEnded(tx, session.userId)
  return isEnded
}

/** Ends every session but the caller's. */
export async function endOtherSessions(db: Db, userId: string, token: string): Promise<void> {
  await db.transaction().execute((tx) => closeSessionsOf(tx, userId, { token }))
}
