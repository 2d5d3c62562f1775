import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { hashOfToken, isToken, newToken } from "#kit/secrets"
import { closeSessionsOf } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import type { Actor, AuditEntry } from "#platform/audit/rules"
import type { Notice } from "#platform/mails/notice"
import { notifyOwner } from "#platform/mails/notify-owner"
import { findFreezes, findThawedSince } from "./reads.ts"
import { endFreezeRow, findLiveLink, insertFreeze, insertLink, trustFewerFactors, useLink } from "./table.ts"

interface FreezeInput {
  userId: string
  /** The address from which the owner asked for it. */
  address: string
  /** Only a second factor enrolled before this moment may end the freeze. */
  trustsFactorsUntil: Date
}

/**
 * Ends the account's sessions; later ones only look. An account that is frozen already stays so, and the earlier of the two
 * moments decides which factors may end it. The caller has locked the user.
 */
export async function freezeAccount(
  tx: Tx,
  { userId, address, trustsFactorsUntil }: FreezeInput,
  now: Date,
): Promise<void> {
  const owner = { id: userId, address }
  await closeSessionsOf(tx, userId, { spared: null, by: owner }, now)
  const [current] = await findFreezes(tx, [userId])
  if (current !== undefined) return trustFewerFactors(tx, current.id, trustsFactorsUntil)
  const id = newId()
  await insertFreeze(tx, { id, userId, frozenAt: now, trustsFactorsUntil }, address)
  await recordAudit(tx, freezeAuditOf("user.frozen", { userId, by: owner }, now))
}

interface EndFreezeInput {
  userId: string
  /** The owner, or an administrator. */
  by: Actor
}

function freezeAuditOf(action: "user.frozen" | "user.unfrozen", { userId, by }: EndFreezeInput, now: Date): AuditEntry {
  return { actor: by, happenedAt: now, action, entity: "user", entityId: userId, before: null, after: null }
}

/** Returns false when the account was not frozen. */
export async function endFreeze(tx: Tx, { userId, by }: EndFreezeInput, now: Date): Promise<boolean> {
  if (!(await endFreezeRow(tx, userId, by.id, now))) return false
  await recordAudit(tx, freezeAuditOf("user.unfrozen", { userId, by }, now))
  const isOwner = by.id === userId
  const address = isOwner ? by.address : null
  const notice = { kind: "account_unfrozen", byAdmin: !isOwner, endedAt: now.toISOString(), address } as const
  const notMe = await issueNotMeLink(tx, userId, now)
  await notifyOwner(tx, { userId, notice, notMe }, now)
  return true
}

/**
 * Ends the freeze after a login with a second factor that is older than the reported theft: a newer one may be the thief's.
 */
export async function endFreezeByFactor(
  tx: Tx,
  { owner, enrolledAt }: { owner: Actor; enrolledAt: Date },
  now: Date,
): Promise<boolean> {
  const [current] = await findFreezes(tx, [owner.id])
  if (current === undefined || enrolledAt >= current.trustsFactorsUntil) return false
  return endFreeze(tx, { userId: owner.id, by: owner }, now)
}

/** Since when the account's factors may be the thief's; null while it isn't frozen. */
export async function findDoubtfulSince(db: Db, userId: string): Promise<Date | null> {
  const [current] = await findFreezes(db, [userId])
  return current?.trustsFactorsUntil ?? null
}

/** Longer than every delay of a withdrawal, so that the owner's word comes in time also after a week away. */
const LIFETIME_SECONDS = 7 * 86_400

/**
 * Returns the token for `notMe` of a mail that reports what a thief would do: the mail then has the button 'Não fui eu'. The
 * token is stored nowhere but in that mail until it is sent.
 */
export async function issueNotMeLink(tx: Tx, userId: string, now: Date): Promise<string> {
  const token = newToken()
  const expiresAt = secondsAfter(now, LIFETIME_SECONDS)
  await insertLink(tx, { tokenHash: hashOfToken(token), userId, createdAt: now, expiresAt })
  return token
}

/** Tells of what a thief would do, by a mail with 'Não fui eu'. */
export async function warnOwner(tx: Tx, userId: string, notice: Notice, now: Date): Promise<void> {
  await notifyOwner(tx, { userId, notice, notMe: await issueNotMeLink(tx, userId, now) }, now)
}

/** Null when the link doesn't work, or no more. */
export async function ownerOfNotMeLink({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<string | null> {
  if (!isToken(token)) return null
  return (await findLiveLink(db, hashOfToken(token), clock.now())) ?? null
}

/** When the mail was written; null unless it is the first use. Call it under the user's lock. */
export async function useNotMeLink(tx: Tx, token: string, now: Date): Promise<Date | null> {
  return (await useLink(tx, hashOfToken(token), now)) ?? null
}

/** Since when the accounts are frozen; those that aren't are missing. */
export async function findFrozen(db: Db, userIds: readonly string[]): Promise<Map<string, Date>> {
  if (userIds.length === 0) return new Map()
  const freezes = await findFreezes(db, [...new Set(userIds)])
  return new Map(freezes.map(({ userId, frozenAt }) => [userId, frozenAt]))
}

/** Accounts whose freeze ended since then, or has not ended. */
export async function findFrozenSince(db: Db, userIds: readonly string[], since: Date): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const ids = [...new Set(userIds)]
  const current = await findFreezes(db, ids)
  return new Set([...current.map(({ userId }) => userId), ...(await findThawedSince(db, ids, since))])
}
