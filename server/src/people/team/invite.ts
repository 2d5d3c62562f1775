import { INVITATION_DAYS, MOST_MEMBERS, type ShopRole } from "@tilinta/contract/vocabulary/team"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { hashOfToken, isToken, newToken } from "#kit/secrets"
import { type Proof, requireStepUp } from "#people/second-factors/factors"
import { findUserByEmail } from "#people/users/reads"
import { emailKeyOf } from "#people/users/rules"
import { limitAction, recordAudit } from "#platform/audit/record"
import { type Actor, personOf } from "#platform/audit/rules"
import { enqueueMails } from "#platform/mails/notify-owner"
import { lockBoth, lockTeam, notifyShopOwners, refuseFrozen } from "./members.ts"
import { findLiveInvitation, readShopName } from "./reads.ts"
import { auditOfMember, type OwnShop, type TeamInvitation } from "./rules.ts"
import {
  countTeam,
  deleteInvitationTo,
  deleteOwnInvitation,
  insertInvitation,
  insertMember,
  lockMember,
  takeInvitation,
} from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface Invited {
  /** The owner who invites, for the shop. */
  by: Actor
  email: string
  role: ShopRole
  proof: Proof
}

/** Mails go to addresses that somebody typed: more than a team takes in a day is no team. */
const limit = { times: 30, windowSeconds: 86_400 }

/** Another invitation to the same address ends the first. The token is stored nowhere. */
export async function inviteMember({ db, clock }: Deps, invited: Invited): Promise<TeamInvitation & { token: string }> {
  return db.transaction().execute((tx) => storeInvitation(tx, invited, clock.now()))
}

async function storeInvitation(
  tx: Tx,
  { by, email, role, proof }: Invited,
  now: Date,
): Promise<TeamInvitation & { token: string }> {
  const shop = await lockTeam(tx, by)
  if (shop.emailState === "unconfirmed") {
    throw new DomainError("email_not_confirmed", { message: "Confirme o seu e-mail antes de convidar alguém." })
  }
  if (role === "owner") await requireStepUp(tx, proof)
  await limitAction(tx, { action: "member.invited", actorId: personOf(by), now }, limit)
  const emailKey = emailKeyOf(email)
  const known = await findUserByEmail(tx, emailKey)
  const isThere = known !== undefined && (known.id === by.id || (await lockMember(tx, by.id, known.id)) !== null)
  if (isThere) throw new DomainError("already_member")
  await deleteInvitationTo(tx, by.id, emailKey)
  if ((await countTeam(tx, by.id)) >= MOST_MEMBERS) throw new DomainError("too_many_members")

  const [id, token, expiresAt] = [newId(), newToken(), secondsAfter(now, INVITATION_DAYS * 86_400)]
  const invitation = { id, shopId: by.id, email, emailKey, role, createdAt: now, expiresAt }
  await insertInvitation(tx, { ...invitation, tokenHash: hashOfToken(token), invitedBy: personOf(by) })
  await recordAudit(
    tx,
    auditOfMember("member.invited", { shopId: by.id, email, before: null, after: role }, { id: by.id, by, now }),
  )
  const inviter = by.person?.name ?? shop.name
  const content = { kind: "team_invitation", shop: await readShopName(tx, by.id), inviter, role, token } as const
  await enqueueMails(tx, [{ userId: by.id, to: email, content, dedupeKey: `team-invitation:${id}` }], now)
  if (role === "owner") await notifyShopOwners(tx, { change: "invited", who: email, role, by }, now)
  return { ...invitation, token }
}

export async function revokeInvitation({ db, clock }: Deps, { id, by }: { id: string; by: Actor }): Promise<void> {
  const isRevoked = isId(id) && (await db.transaction().execute((tx) => revoke(tx, { id, by }, clock.now())))
  if (!isRevoked) throw new DomainError("team_invitation_not_found")
}

async function revoke(tx: Tx, { id, by }: { id: string; by: Actor }, now: Date): Promise<boolean> {
  await lockTeam(tx, by)
  const revoked = await deleteOwnInvitation(tx, { id, shopId: by.id })
  if (revoked === undefined) return false
  const { email, role } = revoked
  const facts = { shopId: by.id, email, before: role, after: null }
  await recordAudit(tx, auditOfMember("member.invitation_revoked", facts, { id: by.id, by, now }))
  return true
}

/** The offer of a link, while it lasts. @throws team_invitation_not_found */
export async function getInvitation(db: Db, token: string, now: Date): Promise<TeamInvitation> {
  const invitation = isToken(token) ? await findLiveInvitation(db, hashOfToken(token), now) : undefined
  if (invitation === undefined) throw new DomainError("team_invitation_not_found")
  return invitation
}

/** Before somebody signs up by it. @throws team_invitation_not_found, team_invitation_of_another */
export async function refuseOfAnother(
  db: Db,
  { token, email }: { token: string; email: string },
  now: Date,
): Promise<void> {
  const { emailKey } = await getInvitation(db, token, now)
  if (emailKey !== emailKeyOf(email)) throw new DomainError("team_invitation_of_another")
}

/**
 * The link alone lets nobody in: it works once, for the account with the address that was invited.
 * @throws team_invitation_not_found, team_invitation_of_another, email_not_confirmed, already_member, administrator_in_no_team
 */
export async function acceptInvitation(
  { db, clock }: Deps,
  { token, person }: { token: string; person: Actor },
): Promise<OwnShop> {
  const now = clock.now()
  const { shopId } = await getInvitation(db, token, now)
  return db.transaction().execute((tx) => join(tx, { token, shopId, person }, now))
}

async function join(
  tx: Tx,
  { token, shopId, person }: { token: string; shopId: string; person: Actor },
  now: Date,
): Promise<OwnShop> {
  const [, account] = await lockBoth(tx, shopId, person.id)
  const invitation = await getInvitation(tx, token, now)
  await refuseFrozen(tx, shopId)
  if (!account?.active) throw new DomainError("unauthenticated")
  if (account.role === "admin") throw new DomainError("administrator_in_no_team")
  if (emailKeyOf(account.email) !== invitation.emailKey) throw new DomainError("team_invitation_of_another")
  if (account.emailState === "unconfirmed") {
    const message = "Confirme o seu e-mail antes de aceitar: o link está na mensagem que enviamos."
    throw new DomainError("email_not_confirmed", { message })
  }
  if (person.id === shopId || (await lockMember(tx, shopId, person.id)) !== null)
    throw new DomainError("already_member")
  if (!(await takeInvitation(tx, invitation.id))) throw new DomainError("team_invitation_not_found")

  const { role } = invitation
  await insertMember(tx, { shopId, userId: person.id, role, joinedAt: now })
  const about = { id: person.id, by: person, now }
  await recordAudit(tx, auditOfMember("member.joined", { shopId, before: null, after: role }, about))
  const by = { ...person, id: shopId, person: { id: person.id, name: account.name } }
  await notifyShopOwners(tx, { change: "joined", who: account.name, role, by }, now)
  return { id: shopId, name: await readShopName(tx, shopId), role }
}
