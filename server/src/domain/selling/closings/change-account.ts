import type { Db, Tx } from "#db/transaction"
import { changeUser, type UserChange } from "#domain/people/users/change-user"
import { emailTaken, isEmailConflict } from "#domain/people/users/email-taken"
import { lockAdminAnd } from "#domain/people/users/lock-admin"
import type { User } from "#domain/people/users/user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { closeOpenChargesOfSeller } from "#domain/selling/charges/close-open-charges"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"

/** Changes a user; an account that becomes inactive loses its sessions and its open Pix codes with it. */
export async function changeAccount({ db, clock }: { db: Db; clock: Clock }, change: UserChange): Promise<User> {
  if (!isId(change.id)) throw new DomainError("user_not_found")
  const now = clock.now()
  try {
    return await db.transaction().execute((tx) => applyChange(tx, change, now))
  } catch (error) {
    throw isEmailConflict(error) ? emailTaken() : error
  }
}

/** Deletes nothing: money on its way to the seller still arrives. */
export async function inactivateSeller(
  { db, clock }: { db: Db; clock: Clock },
  { id, admin }: { id: string; admin: Actor },
): Promise<void> {
  if (!isId(id)) throw new DomainError("user_not_found")
  const now = clock.now()
  await db.transaction().execute((tx) => applyInactivation(tx, { id, admin }, now))
}

async function applyInactivation(tx: Tx, { id, admin }: { id: string; admin: Actor }, now: Date): Promise<void> {
  const user = await lockAdminAnd(tx, admin.id, id)
  if (user?.role === "admin" && !user.active) throw new DomainError("admin_not_inactivated")
  await applyChange(tx, { id, admin, changes: { active: false } }, now)
}

/** Takes the user's lock first, which prevents new charges while the open ones are closed. */
async function applyChange(tx: Tx, change: UserChange, now: Date): Promise<User> {
  const { user, isClosed } = await changeUser(tx, change, now)
  if (isClosed) await closeOpenChargesOfSeller(tx, user.id, now)
  return user
}
