import type { Tx } from "#db/transaction"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { newId } from "#kit/ids"
import { endResetsOf } from "./password-resets-repository.ts"
import { auditOfPassword } from "./user-audit.ts"
import { type UserWithPassword, updatePassword } from "./users-repository.ts"

interface NewPassword {
  user: UserWithPassword
  passwordHash: string
  action: "user.password_changed" | "user.password_reset"
  /** The address that the request came from. */
  address: string
  /** The session that stays open, if any. */
  spared: { token: string } | null
}

/** Call it under the user's lock. Ends sessions opened with the old password, and notifies an owner who had one. */
export async function savePassword(
  tx: Tx,
  { user, passwordHash, action, address, spared }: NewPassword,
  now: Date,
): Promise<void> {
  await updatePassword(tx, user.id, passwordHash, now)
  await endResetsOf(tx, user.id, now)
  await closeSessionsOf(tx, user.id, spared)
  await recordAudit(tx, auditOfPassword(action, { id: user.id, address }, now))
  if (user.passwordHash === null) return
  const content = { kind: "password_changed", changedAt: now.toISOString() } as const
  await enqueueMails(tx, [{ userId: user.id, dedupeKey: `password-changed:${newId()}`, content }], now)
}
