import type { Role } from "@tilinta/contract/vocabulary/roles"
import type { Tx } from "#db/transaction"
import { closeSessionsOf, shortenSessionsOf } from "#domain/people/sessions/close-session"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { inviteUser } from "./invite-user.ts"
import { lockAdminAnd } from "./lock-admin.ts"
import { endResetsOf } from "./password-resets-repository.ts"
import { emailKeyOf, type User } from "./user.ts"
import { auditOfUser } from "./user-audit.ts"
import { findActiveAdminIds, type UserWithPassword, updateAccount } from "./users-repository.ts"

export interface UserChange {
  id: string
  admin: Actor
  /** Missing fields stay as they are. */
  changes: {
    name?: string | undefined
    email?: string | undefined
    role?: Role | undefined
    active?: boolean | undefined
  }
}

interface ChangedUser {
  user: User
  /** True when this change made an active account inactive. */
  isClosed: boolean
}

/**
 * Call it through `closings/change-account`, which ends the Pix codes of an account that is closed.
 * @throws user_not_found, last_admin, own_account, admin_not_inactivated; the database's own error when the e-mail is taken
 */
export async function changeUser(tx: Tx, { id, admin, changes }: UserChange, now: Date): Promise<ChangedUser> {
  const before = await lockAdminAnd(tx, admin.id, id)
  if (before === null) throw new DomainError("user_not_found")
  const after: UserWithPassword = {
    ...before,
    name: changes.name ?? before.name,
    email: changes.email ?? before.email,
    role: changes.role ?? before.role,
    active: changes.active ?? before.active,
  }
  await refuseToLoseAdmin(tx, { before, after }, admin)
  const entry = auditOfUser(actionOf(before, after), { before, after }, admin, now)
  if (entry === null) return { user: before, isClosed: false }

  const isClosed = before.active && !after.active
  if (isClosed) await closeAccess(tx, id, now)
  if (before.role !== after.role) await shortenSessionsOf(tx, after, now)
  await updateAccount(tx, after, now)
  await followAddress(tx, { before, after }, now)
  await recordAudit(tx, entry)
  return { user: after, isClosed }
}

function actionOf(before: User, after: User) {
  if (before.active === after.active) return "user.updated"
  return after.active ? "user.reactivated" : "user.inactivated"
}

/** An admin stays one until another admin demotes them, and must be demoted before being inactivated. */
async function refuseToLoseAdmin(tx: Tx, { before, after }: { before: User; after: User }, admin: Actor) {
  const isLost = before.role === "admin" && before.active && !(after.role === "admin" && after.active)
  if (!isLost) return
  const others = (await findActiveAdminIds(tx)).filter((id) => id !== before.id)
  if (others.length === 0) throw new DomainError("last_admin")
  if (before.id === admin.id) throw new DomainError("own_account")
  if (!after.active) throw new DomainError("admin_not_inactivated")
}

async function closeAccess(tx: Tx, userId: string, now: Date): Promise<void> {
  await closeSessionsOf(tx, userId, null)
  await endResetsOf(tx, userId, now)
}

/** Links sent to the old address stop working, and it gets a notice; a user without a password is invited again. */
async function followAddress(
  tx: Tx,
  { before, after }: { before: UserWithPassword; after: UserWithPassword },
  now: Date,
): Promise<void> {
  const isMoved = emailKeyOf(before.email) !== emailKeyOf(after.email)
  if (isMoved) {
    await endResetsOf(tx, after.id, now)
    const content = { kind: "email_changed", changedAt: now.toISOString() } as const
    const mail = { userId: after.id, to: before.email, dedupeKey: `email-changed:${newId()}`, content }
    await enqueueMails(tx, [mail], now)
  }
  const mayBeInvited = after.active && after.passwordHash === null
  if (mayBeInvited && (isMoved || !before.active)) await inviteUser(tx, after.id, now)
}
