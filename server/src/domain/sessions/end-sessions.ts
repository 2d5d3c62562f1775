import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { closeSessionsOf } from "./close-session.ts"
import { deleteOwnSession } from "./session-repository.ts"

export async function endSession(db: Db, { id, userId }: { id: string; userId: string }): Promise<void> {
  const isEnded = isId(id) && (await db.transaction().execute((tx) => deleteOwnSession(tx, { id, userId })))
  if (!isEnded) throw new DomainError("session_not_found")
}

/** All but the one that asks. */
export async function endOtherSessions(db: Db, userId: string, token: string): Promise<void> {
  await db.transaction().execute((tx) => closeSessionsOf(tx, userId, { token }))
}
