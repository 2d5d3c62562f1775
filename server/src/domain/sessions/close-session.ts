import type { Db, Tx } from "#db/transaction"
import { hashOfToken } from "#kit/secret-token"
import { deleteSession, deleteSessionsOf } from "./session-repository.ts"

export async function closeSession(db: Db, token: string): Promise<void> {
  await db.transaction().execute((tx) => deleteSession(tx, hashOfToken(token)))
}

/** All of them, or all but the one that asks for it. */
export async function closeSessionsOf(tx: Tx, userId: string, spared: { token: string } | null): Promise<void> {
  await deleteSessionsOf(tx, userId, spared === null ? null : hashOfToken(spared.token))
}
