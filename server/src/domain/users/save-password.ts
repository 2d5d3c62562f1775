import type { Tx } from "#db/transaction"
import { enqueueMails } from "#domain/mails/enqueue-mails"
import { closeSessionsOf } from "#domain/sessions/close-session"
import { newId } from "#kit/ids"
import { endResetsOf } from "./password-resets-repository.ts"
import { updatePassword } from "./users-repository.ts"

interface NewPassword {
  userId: string
  passwordHash: string
  /** The session that goes on, if any. */
  spared: { token: string } | null
}

/** Call it under the user's lock. Whoever knew the old password is out, and the owner is told. */
export async function savePassword(tx: Tx, { userId, passwordHash, spared }: NewPassword, now: Date): Promise<void> {
  await updatePassword(tx, userId, passwordHash, now)
  await endResetsOf(tx, userId, now)
  await closeSessionsOf(tx, userId, spared)
  const content = { kind: "password_changed", changedAt: now.toISOString() } as const
  await enqueueMails(tx, [{ userId, dedupeKey: `password-changed:${newId()}`, content }], now)
}
