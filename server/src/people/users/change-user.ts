import { isDeepStrictEqual } from "node:util"
import type { Role } from "@tilinta/contract/vocabulary/people"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { issueNotMeLink } from "#people/freezes/freeze"
import { askSecondPerson, newAdminRightsFrom, type SecondWord } from "#people/second-approvals/approve"
import { changesBetween, type SecondApproval } from "#people/second-approvals/rules"
import { closeSessionsOf, openViewSession, shortenSessionsOf } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { notifyOwner } from "#platform/mails/notify-owner"
import { beginEmailChange } from "./change-email.ts"
import { deleteEmailChangeOf, endResetsOf } from "./credentials-table.ts"
import {
  findActiveAdminIds,
  findPeopleByIds,
  findUserByEmail,
  hasPlaceInTeam,
  isErasedRow,
  type Person,
  type UserWithPassword,
} from "./reads.ts"
import { inviteUser } from "./reset-password.ts"
import { auditOfUser, changesOfData, emailKeyOf, emailTaken, type User } from "./rules.ts"
import {
  type LockedPerson,
  lockPersonRows,
  lockUser,
  lockUsers,
  markHasShop,
  updateAccount,
  updateEmailState,
} from "./table.ts"

export interface UserChange {
  id: string
  admin: Actor
  /** Missing fields stay as they are. */
  changes: {
    name?: string | undefined
    email?: string | undefined
    role?: Role | undefined
    active?: boolean | undefined
    anyName?: boolean | undefined
    note?: string | undefined
    feePercentage?: number | null | undefined
  }
}

export interface ChangedUser {
  user: User
  /** False when everything was so before, but for the fee and the administrators' note: nobody gets in by them. */
  isChanged: boolean
  /** True when this change made an active account inactive. */
  isClosed: boolean
  /** The first approval, when nothing has changed yet; null otherwise. */
  waits: SecondApproval | null
  /** The new address, when it counts only after its confirmation. */
  emailToConfirm: string | null
}

interface Change {
  before: UserWithPassword
  after: UserWithPassword
}

/**
 * Call it through `closings/change-account`, which ends the Pix codes of an account that is closed.
 * @throws user_not_found, last_admin, own_account, admin_not_inactivated, user_in_team, second_approver_needed; the
 * database's own error when the e-mail is taken
 */
export async function changeUser(
  tx: Tx,
  { id, admin, changes }: UserChange,
  { protection, now }: { protection: Protection; now: Date },
): Promise<ChangedUser> {
  const before = await lockAdminAnd(tx, admin.id, id)
  if (before === null) throw new DomainError("user_not_found")
  if (await isErasedRow(tx, before.id)) throw new DomainError("account_erased")
  const wanted = wantedUser(before, changes)
  const unchanged = { user: before, isChanged: false, isClosed: false, waits: null, emailToConfirm: null }
  await refuseToLoseAdmin(tx, { before, after: wanted }, { admin, protection })
  await refuseMember(tx, { before, after: wanted })
  if (auditOfUser(actionOf(before, wanted), { before, after: wanted }, admin, now) === null) return unchanged

  const { waits } = await askAbout(tx, { before, after: wanted }, { admin, protection, now })
  if (waits !== null) return { ...unchanged, waits }
  const emailToConfirm = protection === "strict" && isMoved(before, wanted) ? wanted.email : null
  const after = {
    ...wanted,
    email: emailToConfirm === null ? wanted.email : before.email,
    emailState: emailToConfirm === null && hasMoved(before, wanted) ? ("unasked" as const) : before.emailState,
    adminRightsFrom: await rightsOf(tx, { before, after: wanted }, protection, now),
  }
  if (emailToConfirm !== null) await beginEmailChange(tx, { user: before, email: emailToConfirm, by: admin }, now)
  const stored = await store(tx, { before, after }, admin, now)
  // An address that waits for its link is a change, too: withdrawals wait from here on.
  return { ...stored, isChanged: stored.isChanged || emailToConfirm !== null, emailToConfirm }
}

function wantedUser(before: UserWithPassword, changes: UserChange["changes"]): UserWithPassword {
  return {
    ...before,
    name: changes.name ?? before.name,
    email: changes.email ?? before.email,
    role: changes.role ?? before.role,
    active: changes.active ?? before.active,
    anyName: changes.anyName ?? before.anyName,
    note: changes.note ?? before.note,
    feePercentage: changes.feePercentage === undefined ? before.feePercentage : changes.feePercentage,
  }
}

/** Somebody who never set a password proves the address by the invitation's link. */
function isMoved(before: UserWithPassword, after: User): boolean {
  return before.passwordHash !== null && hasMoved(before, after)
}

function hasMoved(before: User, after: User): boolean {
  return emailKeyOf(before.email) !== emailKeyOf(after.email)
}

const shownFields = ["name", "email", "role", "active", "anyName", "feePercentage"] as const

/** Two are needed for changes by which one administrator could take an account, or stand alone. */
async function askAbout(
  tx: Tx,
  { before, after }: Change,
  { admin, protection, now }: { admin: Actor; protection: Protection; now: Date },
): Promise<SecondWord> {
  const isGrave =
    before.role !== after.role ||
    before.email !== after.email ||
    before.feePercentage !== after.feePercentage ||
    (after.active && !before.active && !isNew(before))
  if (!isGrave) return { waits: null, agreed: null }
  if (protection === "strict" && hasMoved(before, after)) {
    if ((await findUserByEmail(tx, after.email)) !== undefined) throw emailTaken()
  }
  const input = {
    act: "user.change",
    subjectId: before.id,
    subjectName: before.name,
    changes: changesBetween(before, after, shownFields),
    by: admin,
    protection,
    notFirst: before.id === admin.id && isLost(before, after) ? new DomainError("own_account") : undefined,
  } as const
  return askSecondPerson(tx, input, now)
}

/** Was created inactive and never used: activating it only sends the invitation. */
function isNew({ passwordHash, role }: UserWithPassword): boolean {
  return passwordHash === null && role === "user"
}

async function rightsOf(
  tx: Tx,
  { before, after }: Change,
  protection: Protection,
  now: Date,
): Promise<User["adminRightsFrom"]> {
  const isAdmin = (user: User) => user.role === "admin" && user.active
  if (!isAdmin(after)) return null
  return isAdmin(before) ? before.adminRightsFrom : newAdminRightsFrom(tx, protection, now)
}

async function store(tx: Tx, { before, after }: Change, admin: Actor, now: Date) {
  const isClosed = before.active && !after.active
  if (isClosed) await closeAccess(tx, { userId: after.id, admin }, now)
  if (before.role !== after.role) await shortenSessionsOf(tx, after, now)
  await updateAccount(tx, after, now)
  await followAddress(tx, { before, after }, now)
  const entry = auditOfUser(actionOf(before, after), { before, after }, admin, now)
  if (entry !== null) await recordAudit(tx, entry)
  await notifyOfChanges(tx, { before, after }, now)
  const { note, feePercentage } = after
  const isChanged = !isDeepStrictEqual({ ...before, note, feePercentage }, after)
  return { user: after, isChanged, isClosed, waits: null }
}

function actionOf(before: User, after: User) {
  if (before.active === after.active) return "user.updated"
  return after.active ? "user.reactivated" : "user.inactivated"
}

function isLost(before: User, after: User): boolean {
  return before.role === "admin" && before.active && !(after.role === "admin" && after.active)
}

/**
 * An admin stays one until another admin demotes them, and must be demoted before being inactivated. Where two decide,
 * they may agree to their own demotion.
 */
async function refuseToLoseAdmin(
  tx: Tx,
  { before, after }: { before: User; after: User },
  { admin, protection }: { admin: Actor; protection: Protection },
) {
  if (!isLost(before, after)) return
  const others = (await findActiveAdminIds(tx)).filter((id) => id !== before.id)
  if (others.length === 0) throw new DomainError("last_admin")
  if (before.id === admin.id && protection === "relaxed") throw new DomainError("own_account")
  if (!after.active) throw new DomainError("admin_not_inactivated")
}

/** Or they could decide about that shop's money. Call it under the user's lock, under which they join a team, too. */
async function refuseMember(tx: Tx, { before, after }: { before: User; after: User }): Promise<void> {
  const isPromoted = before.role !== "admin" && after.role === "admin"
  if (isPromoted && (await hasPlaceInTeam(tx, before.id))) throw new DomainError("user_in_team")
}

/** The e-mail has a notice of its own. */
async function notifyOfChanges(
  tx: Tx,
  { before, after }: { before: UserWithPassword; after: User },
  now: Date,
): Promise<void> {
  const changes = changesOfData(before, after)
  if (changes.length === 0) return
  const notice = {
    kind: "account_changed",
    byAdmin: true,
    changes,
    changedAt: now.toISOString(),
    address: null,
  } as const
  // An invited user who has set no password yet knows of no account.
  const isInvited = before.passwordHash === null
  await notifyOwner(tx, { userId: after.id, notice, mailTo: before.email, ...(isInvited && { mail: null }) }, now)
}

async function closeAccess(tx: Tx, { userId, admin }: { userId: string; admin: Actor }, now: Date): Promise<void> {
  await closeSessionsOf(tx, userId, { spared: null, by: admin }, now)
  await endResetsOf(tx, userId, now)
  await deleteEmailChangeOf(tx, userId)
}

/** Links sent to the old address stop working, and it gets a notice; a user without a password is invited again. */
async function followAddress(tx: Tx, { before, after }: Change, now: Date): Promise<void> {
  const isElsewhere = hasMoved(before, after)
  if (isElsewhere) {
    await endResetsOf(tx, after.id, now)
    await updateEmailState(tx, after.id, after.emailState, now)
    const notice = { kind: "email_changed", changedAt: now.toISOString() } as const
    const notMe = await issueNotMeLink(tx, after.id, now)
    await notifyOwner(tx, { userId: after.id, mailTo: before.email, notice, notMe }, now)
  }
  const mayBeInvited = after.active && after.passwordHash === null
  if (mayBeInvited && (isElsewhere || !before.active)) await inviteUser(tx, after.id, now)
}

interface AboutUser {
  id: string
  admin: Actor
}

/** Opens a session that only looks at a seller's account, of which they are told. @throws user_not_found, user_not_viewable */
export async function viewUser(
  { db, clock }: { db: Db; clock: Clock },
  input: AboutUser,
): Promise<{ token: string; expiresAt: Date }> {
  return db.transaction().execute((tx) => openView(tx, input, clock.now()))
}

async function openView(tx: Tx, { id, admin }: AboutUser, now: Date): Promise<{ token: string; expiresAt: Date }> {
  const user = isId(id) ? await lockAdminAnd(tx, admin.id, id) : null
  if (user === null) throw new DomainError("user_not_found")
  if (user.role === "admin" || !user.active) throw new DomainError("user_not_viewable")
  const opened = await openViewSession(tx, { userId: id, viewer: admin }, now)
  const notice = { kind: "account_viewed", until: opened.expiresAt.toISOString(), viewedAt: now.toISOString() } as const
  await notifyOwner(tx, { userId: id, notice }, now)
  return opened
}

/** Throws a thief out at once. Keys of the API stay: their owner revokes them. Returns how many sessions ended. */
export async function endUsersSessions({ db, clock }: { db: Db; clock: Clock }, input: AboutUser): Promise<number> {
  return db.transaction().execute((tx) => endAll(tx, input, clock.now()))
}

async function endAll(tx: Tx, { id, admin }: AboutUser, now: Date): Promise<number> {
  const user = isId(id) ? await lockUser(tx, id) : undefined
  if (user === undefined) throw new DomainError("user_not_found")
  const count = await closeSessionsOf(tx, id, { spared: null, by: admin }, now)
  if (count === 0) return 0
  const notice = { kind: "sessions_ended", count, endedAt: now.toISOString() } as const
  await notifyOwner(tx, { userId: id, notice }, now)
  return count
}

/** Keeps the account as it is until the end of the transaction, also its withdrawals: requests wait. */
export async function lockAccount(tx: Tx, id: string): Promise<User | null> {
  return (await lockAccounts(tx, [id])).get(id) ?? null
}

/** In the order of ids, like every writer. Unknown ids are missing. */
export async function lockAccounts(tx: Tx, ids: readonly string[]): Promise<Map<string, User>> {
  const locked = await lockUsers(tx, ids)
  return new Map(
    locked.map((each) => {
      const { passwordHash: _, isPasswordVoid: _isVoid, ...user } = each
      return [user.id, user]
    }),
  )
}

/**
 * Keeps the acting user an active admin until the end of the transaction. Therefore one always remains: of two admins
 * who demote each other, the second is no longer one.
 */
export async function lockAdminAnd(tx: Tx, adminId: string, userId: string | null): Promise<UserWithPassword | null> {
  const users = await lockUsers(tx, userId === null ? [adminId] : [adminId, userId])
  const admin = users.find(({ id }) => id === adminId)
  if (admin === undefined || admin.role !== "admin" || !admin.active) throw new DomainError("forbidden")
  return users.find(({ id }) => id === userId) ?? null
}

/** People by id; unknown ids are missing. */
export async function findPeople(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  const people = await findPeopleByIds(db, ids)
  return new Map(people.map((person) => [person.id, person]))
}

/** Call it under the user's lock. */
export async function openOwnShop(tx: Tx, id: string): Promise<void> {
  await markHasShop(tx, id)
}

/** Locked against freezes, recoveries and changes by an administrator until the end of the transaction. */
export async function lockPerson(tx: Tx, id: string): Promise<LockedPerson | null> {
  return (await lockPersonRows(tx, [id]))[0] ?? null
}

/** The same for those who act together. Unknown ids are missing. */
export async function lockPeople(tx: Tx, ids: readonly string[]): Promise<Map<string, LockedPerson>> {
  return new Map((await lockPersonRows(tx, ids)).map((person) => [person.id, person]))
}
