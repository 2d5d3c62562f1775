import { isAbove, type ShopRole } from "@tilinta/contract/vocabulary/team"
import type { Db, Tx } from "#db/transaction"
import { publishSessionsEnded } from "#events/events"
import type { Clock } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { isId } from "#kit/ids"
import { findFrozen, warnOwner } from "#people/freezes/freeze"
import { type Proof, requireStepUp } from "#people/second-factors/factors"
import { closeSessionsOf } from "#people/sessions/sessions"
import { lockAccount, lockAccounts, openOwnShop } from "#people/users/change-user"
import { hasPlaceInTeam } from "#people/users/reads"
import { emailKeyOf, type User } from "#people/users/rules"
import { recordAudit } from "#platform/audit/record"
import { type Actor, personOf } from "#platform/audit/rules"
import { whenceOf } from "#platform/mails/mail-content"
import { notifyOwner } from "#platform/mails/notify-owner"
import { findMember, findMemberIds, findOwnerIds, listRolesAt, readShopName } from "./reads.ts"
import { auditOfMember, type Member } from "./rules.ts"
import {
  deleteInvitationsBy,
  deleteInvitationsOf,
  deleteMember,
  deleteMembersOf,
  lockMember,
  updateRole,
} from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface OfMember {
  memberId: string
  /** The owner who does it, for the shop. */
  by: Actor
}

/** @throws last_owner, member_not_found, own_role, role_forbidden, step_up_required */
export async function changeRole(
  { db, clock }: Deps,
  change: OfMember & { role: ShopRole; proof: Proof },
): Promise<Member> {
  return db.transaction().execute((tx) => saveRole(tx, change, clock.now()))
}

async function saveRole(
  tx: Tx,
  { memberId, by, role, proof }: OfMember & { role: ShopRole; proof: Proof },
  now: Date,
): Promise<Member> {
  const before = await lockPlace(tx, { memberId, by })
  const isRaised = isAbove(role, before)
  if (isRaised && memberId === personOf(by)) throw new DomainError("own_role")
  if (isRaised) await requireStepUp(tx, proof)
  const member = await findMember(tx, by.id, memberId)
  invariant(member !== null, "a locked member has a row")
  if (role === before) return member
  await updateRole(tx, by.id, memberId, role)
  await recordAudit(
    tx,
    auditOfMember("member.role_changed", { shopId: by.id, before, after: role }, { id: memberId, by, now }),
  )
  // Streams that the new role may not see end.
  await publishSessionsEnded(tx, memberId)
  if (isRaised) await notifyShopOwners(tx, { change: "raised", who: member.name, role, by }, now)
  return { ...member, role }
}

/** Removes a member, or lets one leave: their next call is refused, and what they have open ends. @throws last_owner, member_not_found, role_forbidden */
export async function removeMember({ db, clock }: Deps, removed: OfMember): Promise<void> {
  await db.transaction().execute((tx) => remove(tx, removed, clock.now()))
}

async function remove(tx: Tx, removed: OfMember, now: Date): Promise<void> {
  await endPlace(tx, removed, await lockPlace(tx, removed), now)
}

async function endPlace(tx: Tx, { memberId, by }: OfMember, before: ShopRole, now: Date): Promise<void> {
  const isOneself = memberId === personOf(by)
  const who = (await findMember(tx, by.id, memberId))?.name ?? ""
  await deleteMember(tx, by.id, memberId)
  const action = isOneself ? "member.left" : "member.removed"
  await recordAudit(tx, auditOfMember(action, { shopId: by.id, before, after: null }, { id: memberId, by, now }))
  const change = isOneself ? "left" : "removed"
  if (isOneself || before === "owner") await notifyShopOwners(tx, { change, who, role: before, by }, now)
  if (!isOneself) {
    const notice = { kind: "team_left", shop: await readShopName(tx, by.id), leftAt: now.toISOString() } as const
    await notifyOwner(tx, { userId: memberId, notice }, now)
  }
  await leave(tx, { memberId, by }, now)
}

export interface TeamStopped {
  removedCount: number
  invitationCount: number
}

/**
 * For an owner whose word is that it wasn't them: whoever joined or rose since that moment may be the thief, and so may
 * whoever was invited. Call it under the lock of `lockWithTeam`.
 */
export async function stopTeam(
  tx: Tx,
  { owner, since }: { owner: Actor; since: Date },
  now: Date,
): Promise<TeamStopped> {
  const invitations = await deleteInvitationsBy(tx, owner.id)
  for (const { shopId, email, role } of invitations) {
    const facts = { shopId, email, before: role, after: null }
    await recordAudit(tx, auditOfMember("member.invitation_revoked", facts, { id: shopId, by: owner, now }))
  }
  const doubted = (await listRolesAt(tx, owner.id, since)).filter(
    ({ role, formerRole }) => formerRole === null || isAbove(role, formerRole),
  )
  for (const { memberId, role } of doubted) await endPlace(tx, { memberId, by: owner }, role, now)
  return { removedCount: doubted.length, invitationCount: invitations.length }
}

/** A person without another shop is signed out, and finds their own when they come back. */
async function leave(tx: Tx, { memberId, by }: { memberId: string; by: Actor | null }, now: Date): Promise<void> {
  const member = await lockAccount(tx, memberId)
  invariant(member !== null, "a member has an account")
  if (member.hasShop || (await hasPlaceInTeam(tx, memberId))) return publishSessionsEnded(tx, memberId)
  await openOwnShop(tx, memberId)
  await closeSessionsOf(tx, memberId, { spared: null, by }, now)
}

/** The member's role. Under the locks of both accounts. */
async function lockPlace(tx: Tx, { memberId, by }: OfMember): Promise<ShopRole> {
  if (!isId(memberId)) throw new DomainError("member_not_found")
  await lockTeam(tx, by, memberId)
  if (memberId === by.id) throw new DomainError("last_owner")
  const role = await lockMember(tx, by.id, memberId)
  if (role === null) throw new DomainError("member_not_found")
  return role
}

/**
 * Locks the shop, under which its team changes, and another account, which may be the person's own.
 * @throws role_forbidden for an owner who was just removed
 */
export async function lockTeam(tx: Tx, by: Actor, alsoId = by.id): Promise<User> {
  const [shop] = await lockBoth(tx, by.id, alsoId)
  if (!shop?.active) throw new DomainError("account_disabled")
  await refuseFrozen(tx, shop.id)
  const isOwner =
    by.person === undefined || by.person.id === alsoId || (await lockMember(tx, by.id, by.person.id)) === "owner"
  if (!isOwner) throw new DomainError("role_forbidden")
  return shop
}

/** A freeze is written under the shop's lock: none is missed. */
export async function refuseFrozen(tx: Tx, shopId: string): Promise<void> {
  if ((await findFrozen(tx, [shopId])).has(shopId)) throw new DomainError("account_frozen", { message: frozenShop })
}

const frozenShop = "Esta loja está congelada: o dono avisou que não foi ele. Tente de novo quando ela for liberada."

export async function lockBoth(tx: Tx, oneId: string, otherId: string): Promise<[User | null, User | null]> {
  const locked = await lockAccounts(tx, [oneId, otherId])
  return [locked.get(oneId) ?? null, locked.get(otherId) ?? null]
}

interface TeamChange {
  change: "invited" | "joined" | "raised" | "left" | "removed"
  /** A name, or the address that was invited. */
  who: string
  role: ShopRole
  /** The person who did it, for the shop. */
  by: Actor
}

/** By mail, with the button that stops the account: whoever may enter a shop may take from it. */
export async function notifyShopOwners(tx: Tx, { by, ...facts }: TeamChange, now: Date): Promise<void> {
  const notice = { kind: "team_changed", ...facts, changedAt: now.toISOString(), ...whenceOf(by) } as const
  const inShop = { id: by.id, name: await readShopName(tx, by.id) }
  for (const ownerId of await findOwnerIds(tx, by.id)) {
    await warnOwner(tx, ownerId, ownerId === by.id ? notice : { ...notice, inShop }, now)
  }
}

/** The account, and those of its team, which it leaves without their shop. */
export async function lockWithTeam(tx: Tx, id: string): Promise<User | null> {
  return (await lockAccounts(tx, [id, ...(await findMemberIds(tx, id))])).get(id) ?? null
}

/** For an account that is deleted: nobody works in its shop any more, nor it in another's. Under `lockWithTeam`. */
export async function eraseTeamOf(tx: Tx, user: User, now: Date): Promise<void> {
  await deleteInvitationsOf(tx, user.id, emailKeyOf(user.email))
  for (const { userId } of await deleteMembersOf(tx, user.id)) {
    if (userId !== user.id) await leave(tx, { memberId: userId, by: null }, now)
  }
}
