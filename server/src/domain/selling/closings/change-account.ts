import type { Db, Tx } from "#db/transaction"
import { type ChangedUser, changeUser, type UserChange } from "#domain/people/users/change-user"
import { emailTaken, isEmailConflict } from "#domain/people/users/email-taken"
import { lockAdminAnd } from "#domain/people/users/lock-admin"
import type { OnRecovery } from "#domain/people/users/recovery"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { closeOpenChargesOfSeller } from "#domain/selling/charges/close-open-charges"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/protection"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

interface Deps {
  db: Db
  clock: Clock
  onRecovery: OnRecovery
}

/** Changes a user; an account that becomes inactive loses its sessions and its open Pix codes with it. */
export async function changeAccount({ db, clock, ...rules }: Deps, change: UserChange): Promise<ChangedUser> {
  if (!isId(change.id)) throw new DomainError("user_not_found")
  const now = clock.now()
  try {
    return await db.transaction().execute((tx) => applyChange(tx, { ...change, ...rules }, now))
  } catch (error) {
    throw isEmailConflict(error) ? emailTaken() : error
  }
}

/** Deletes nothing: money on its way to the seller still arrives. */
export async function inactivateSeller(
  { db, clock, onRecovery }: Pick<Deps, "db" | "clock" | "onRecovery">,
  { id, admin }: { id: string; admin: Actor },
): Promise<void> {
  if (!isId(id)) throw new DomainError("user_not_found")
  const now = clock.now()
  await db.transaction().execute((tx) => applyInactivation(tx, { id, admin, onRecovery }, now))
}

async function applyInactivation(
  tx: Tx,
  { id, admin, onRecovery }: { id: string; admin: Actor } & Pick<Deps, "onRecovery">,
  now: Date,
): Promise<void> {
  const user = await lockAdminAnd(tx, admin.id, id)
  if (user?.role === "admin" && !user.active) throw new DomainError("admin_not_inactivated")
  // Taking a seller's access away is never grave enough for two.
  await applyChange(tx, { id, admin, changes: { active: false }, onRecovery, protection: "relaxed" }, now)
}

/** Takes the user's lock first, which prevents new charges while the open ones are closed. */
async function applyChange(
  tx: Tx,
  { onRecovery, protection, ...change }: UserChange & Pick<Deps, "onRecovery" | "protection">,
  now: Date,
): Promise<ChangedUser> {
  const changed = await changeUser(tx, change, { protection, now })
  if (changed.isChanged) await onRecovery(tx, changed.user.id, now)
  if (changed.isClosed) await closeOpenChargesOfSeller(tx, changed.user.id, now)
  return changed
}
