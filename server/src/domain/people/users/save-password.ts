import type { Tx } from "#db/transaction"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellOwner } from "#domain/platform/mails/tell-owner"
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
  const by = { id: user.id, address }
  await closeSessionsOf(tx, user.id, { spared, by }, now)
  await recordAudit(tx, auditOfPassword(action, by, now))
  if (user.passwordHash === null) return
  const notice = { kind: "password_changed", changedAt: now.toISOString(), address } as const
  const notMe = await issueNotMeLink(tx, user.id, now)
  await tellOwner(tx, { userId: user.id, notice, notMe }, now)
}
