import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { hashOfToken, isToken, newToken } from "#kit/secrets"
import { closeSessionsOf } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { tellOwner } from "#platform/mails/tell-owner"
import {
  endFreezeRow,
  findFreezes,
  findLiveLink,
  findThawedSince,
  insertFreeze,
  insertLink,
  trustFewerFactors,
  useLink,
} from "./table.ts"

interface Wish {
  userId: string
  /** The address that asks. */
  address: string
  /** Factors that were enrolled later don't end the freeze. */
  trustsFactorsUntil: Date
}

/**
 * Nothing of the account is requested, approved or sent from here on, by no session and no API key; its sessions end. A
 * frozen account stays frozen, and trusts fewer factors. Call it under the user's lock.
 */
export async function freezeAccount(tx: Tx, { userId, address, trustsFactorsUntil }: Wish, now: Date): Promise<void> {
  await closeSessionsOf(tx, userId, { spared: null, by: { id: userId, address } }, now)
  const [underWay] = await findFreezes(tx, [userId])
  if (underWay !== undefined) return trustFewerFactors(tx, underWay.id, trustsFactorsUntil)
  const id = newId()
  await insertFreeze(tx, { id, userId, frozenAt: now, trustsFactorsUntil }, address)
  await recordAudit(tx, {
    ...{ actor: { id: userId, address }, happenedAt: now, action: "user.frozen", entity: "user", entityId: userId },
    before: null,
    after: null,
  })
}

/** The owner, or an administrator. */
interface End {
  userId: string
  by: Actor
}

/** False when the account isn't frozen. */
export async function endFreeze(tx: Tx, { userId, by }: End, now: Date): Promise<boolean> {
  if (!(await endFreezeRow(tx, userId, by.id, now))) return false
  await recordAudit(tx, {
    ...{ actor: by, happenedAt: now, action: "user.unfrozen", entity: "user", entityId: userId },
    before: null,
    after: null,
  })
  const isOwner = by.id === userId
  const address = isOwner ? by.address : null
  const notice = { kind: "account_unfrozen", byAdmin: !isOwner, endedAt: now.toISOString(), address } as const
  const notMe = await issueNotMeLink(tx, userId, now)
  await tellOwner(tx, { userId, notice, notMe }, now)
  return true
}

/**
 * Call it when the owner has signed in with a second factor. A factor that was enrolled after what the owner complained of,
 * or shortly before, may be the thief's, and ends nothing.
 */
export async function endFreezeByFactor(
  tx: Tx,
  { owner, enrolledAt }: { owner: Actor; enrolledAt: Date },
  now: Date,
): Promise<boolean> {
  const [underWay] = await findFreezes(tx, [owner.id])
  if (underWay === undefined || enrolledAt >= underWay.trustsFactorsUntil) return false
  return endFreeze(tx, { userId: owner.id, by: owner }, now)
}

/** Longer than every hold, so that the owner's word comes in time also after a week away. */
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
  const underWay = await findFreezes(db, ids)
  return new Set([...underWay.map(({ userId }) => userId), ...(await findThawedSince(db, ids, since))])
}
