import type { Db, Tx } from "#db/transaction"
import { publishSessionsEnded } from "#events/events"
import { secondsAfter } from "#kit/clock"
import { hashOfToken } from "#kit/secret-token"
import { sessionLifetime } from "./session-lifetime.ts"
import { capSessionsOf, deleteSession, deleteSessionsOf } from "./session-repository.ts"
import type { SessionUser } from "./session-user.ts"

export async function closeSession(db: Db, token: string): Promise<void> {
  await db.transaction().execute((tx) => endSession(tx, hashOfToken(token)))
}

async function endSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  const userId = await deleteSession(tx, tokenHash)
  if (userId !== undefined) await publishSessionsEnded(tx, userId)
}

/** Ends every session of the user, except the spared one. */
export async function closeSessionsOf(tx: Tx, userId: string, spared: { token: string } | null): Promise<void> {
  await deleteSessionsOf(tx, userId, spared === null ? null : hashOfToken(spared.token))
  await publishSessionsEnded(tx, userId)
}

/** A session opened under another role is capped to this role's lifetime. */
export async function shortenSessionsOf(tx: Tx, { id, role }: SessionUser, now: Date): Promise<void> {
  await capSessionsOf(tx, id, secondsAfter(now, sessionLifetime[role].absoluteSeconds))
}
