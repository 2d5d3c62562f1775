import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { type ChangedUser, changeUser, lockAdminAnd, type UserChange } from "#people/users/change-user"
import { refuseMisleading } from "#people/users/misleading-names"
import type { OnRecovery } from "#people/users/passwords"
import { emailTaken, isEmailConflict } from "#people/users/rules"
import type { Actor } from "#platform/audit/rules"
import {
  changeChargePage,
  countPageAtOnce,
  markPageCancelled,
  markPageDeleted,
  type OwnPage,
  type PageChange,
} from "#selling/charge-pages/change"
import type { ChargePage } from "#selling/charge-pages/rules"
import { closeOpenCharges, closeOpenChargesOfSeller } from "#selling/charges/end"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
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

/** A changed amount or an earlier end closes the page's open Pix codes, because nobody may pay outdated terms. */
export async function updateChargePage(
  deps: { db: Db; clock: Clock; protection: Protection },
  { id, sellerId, changes, delegate }: Omit<PageChange, "now">,
): Promise<ChargePage> {
  if (!isId(id)) throw new DomainError("charge_page_not_found")
  const { title, description, slug } = changes
  await refuseMisleading(deps, { userId: sellerId, texts: { title, description, slug } })
  const now = deps.clock.now()
  const hasLimit = changes.maxPayments !== undefined && changes.maxPayments !== null
  if (hasLimit) await deps.db.transaction().execute((tx) => countPageAtOnce(tx, { id, sellerId }))
  return deps.db.transaction().execute((tx) => changePage(tx, { id, sellerId, changes, delegate, now }))
}

/** Takes the page's lock first, which prevents new charges while the open ones are closed. */
async function changePage(tx: Tx, change: PageChange): Promise<ChargePage> {
  const { before, after } = await changeChargePage(tx, change)
  const { id: pageId, now } = change
  const isRepriced = after.amountCents !== before.amountCents || after.choice?.maxCents !== before.choice?.maxCents
  if (isRepriced) await closeOpenCharges(tx, { pageId, now })
  else if (after.expiresAt !== null) await closeOpenCharges(tx, { pageId, now, expiringAfter: after.expiresAt })
  return after
}

/** Final. Its open Pix codes can't be paid any more; money already on its way is still booked. */
export async function cancelChargePage(deps: { db: Db; clock: Clock }, page: OwnPage): Promise<ChargePage> {
  if (!isId(page.id)) throw new DomainError("charge_page_not_found")
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => closePage(tx, page, now))
}

async function closePage(tx: Tx, page: OwnPage, now: Date): Promise<ChargePage> {
  const cancelled = await markPageCancelled(tx, page, now)
  await closeOpenCharges(tx, { pageId: page.id, now })
  return cancelled
}

/** Hides the page and its links; its transactions stay. */
export async function deleteChargePage(deps: { db: Db; clock: Clock }, page: OwnPage): Promise<void> {
  if (!isId(page.id)) throw new DomainError("charge_page_not_found")
  const now = deps.clock.now()
  await deps.db.transaction().execute((tx) => hidePage(tx, page, now))
}

async function hidePage(tx: Tx, page: OwnPage, now: Date): Promise<void> {
  await markPageDeleted(tx, page, now)
  await closeOpenCharges(tx, { pageId: page.id, now })
}
