import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { hashOfToken, isToken, newToken } from "#kit/secrets"
import { removeDoubtfulFactors } from "#people/second-factors/factors"
import type { SessionOrigin } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { mailLifetimeSeconds } from "#platform/mails/mail-content"
import { enqueueMails } from "#platform/mails/notify-owner"
import { askConfirmation, secondsToNextLink } from "./change-email.ts"
import {
  countResetsSince,
  deleteDevicesOf,
  endResetsOf,
  findLiveReset,
  insertKnownDevice,
  insertReset,
  insertResetRequest,
  type ResetRequest,
  takeResetRequests,
} from "./credentials-table.ts"
import { forgetFailuresOf } from "./limits.ts"
import { hashPassword, type OnRecovery, refuseGuessable, savePassword } from "./passwords.ts"
import { findUserWithPassword } from "./reads.ts"
import { emailKeyOf, type User } from "./rules.ts"
import { lockUser, lockUserByEmail, updateEmailState } from "./table.ts"

/**
 * Only records the request, for any address alike: neither the answer nor its time reveals whether an account exists. A
 * job looks that up later.
 */
export async function requestPasswordReset(
  { db, clock }: { db: Db; clock: Clock },
  { email, ...origin }: SessionOrigin & { email: string },
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => insertResetRequest(tx, { emailKey: emailKeyOf(email), ...origin }, now))
}

const BATCH = 50
/** A mailbox that a thief reads opens an account without a second factor: ten minutes are what the standard allows. */
const linkMinutes: Record<Protection, number> = { strict: 10, relaxed: 30 }
const limit = { mails: 3, windowSeconds: 3_600 }

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/** Turns requests into links, for addresses with an active account. */
export async function issuePasswordResets({ db, clock, protection }: Deps): Promise<void> {
  const minutes = linkMinutes[protection]
  let taken = BATCH
  while (taken === BATCH) {
    const now = clock.now()
    taken = await db.transaction().execute((tx) => issueBatch(tx, minutes, now))
  }
}

/** In the order of addresses, so that two nodes never deadlock on each other's accounts. */
async function issueBatch(tx: Tx, minutes: number, now: Date): Promise<number> {
  const requests = await takeResetRequests(tx, BATCH)
  const oneOfEach = [...new Map(requests.map((request) => [request.emailKey, request])).values()]
  oneOfEach.sort((one, other) => (one.emailKey < other.emailKey ? -1 : 1))
  for (const request of oneOfEach) await issueReset(tx, { ...request, minutes }, now)
  return requests.length
}

async function issueReset(
  tx: Tx,
  { emailKey, minutes, ...whence }: ResetRequest & { minutes: number },
  now: Date,
): Promise<void> {
  const user = await lockUserByEmail(tx, emailKey)
  if (user === undefined || !user.active) return
  if (user.emailState === "unconfirmed") return askInstead(tx, user, now)
  if ((await countResetsSince(tx, user.id, secondsAfter(now, -limit.windowSeconds))) >= limit.mails) return

  const token = newToken()
  const tokenHash = hashOfToken(token)
  await endResetsOf(tx, user.id, now)
  await insertReset(tx, { tokenHash, userId: user.id, createdAt: now, expiresAt: secondsAfter(now, minutes * 60) })
  const mail = { userId: user.id, dedupeKey: `reset:${tokenHash.toString("hex")}` }
  await enqueueMails(tx, [{ ...mail, content: { kind: "reset_password", token, minutes, ...whence } }], now)
}

/** An address that nobody confirmed may be somebody else's: it gets no mail but the one that asks for confirmation. */
async function askInstead(tx: Tx, user: User, now: Date): Promise<void> {
  if ((await secondsToNextLink(tx, user.id, now)) === 0) await askConfirmation(tx, user, now)
}

/** A link that doesn't work costs no hash. */
export async function resetPassword(
  { db, clock, onRecovery }: { db: Db; clock: Clock; onRecovery: OnRecovery },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<{ device: string }> {
  const tokenHash = hashOfToken(token)
  const now = clock.now()
  const live = isToken(token) ? await findLiveReset(db, tokenHash, now) : undefined
  if (live === undefined) throw new DomainError("reset_token_invalid")

  const { userId } = live
  const owner = await findUserWithPassword(db, userId)
  if (owner !== undefined) await refuseGuessable(db, password, owner)
  const passwordHash = await hashPassword(password)
  const device = newToken()
  await db
    .transaction()
    .execute((tx) => useReset(tx, { tokenHash, userId, passwordHash, address, device, onRecovery }, now))
  return { device }
}

interface Reset {
  tokenHash: Buffer
  userId: string
  passwordHash: string
  /** The address that the request came from. */
  address: string
  device: string
  onRecovery: OnRecovery
}

/** Takes the user's lock and then checks the link again: of several concurrent uses one succeeds. */
async function useReset(
  tx: Tx,
  { tokenHash, userId, passwordHash, address, device, onRecovery }: Reset,
  now: Date,
): Promise<void> {
  const user = await lockUser(tx, userId)
  const live = await findLiveReset(tx, tokenHash, now)
  if (user === undefined || !user.active || live?.userId !== userId) throw new DomainError("reset_token_invalid")
  await savePassword(tx, { user, passwordHash, action: "user.password_reset", address, spared: null }, now)
  // A link that was mailed was used, so its user reads the mail of the address.
  if (user.emailState !== "confirmed" && !live.isByHand) await updateEmailState(tx, userId, "confirmed", now)
  await forgetFailuresOf(tx, user.email)
  await removeDoubtfulFactors(tx, { id: userId, address }, now)
  // Somebody who knew the old password may have made theirs a known device.
  await deleteDevicesOf(tx, userId)
  await insertKnownDevice(tx, userId, hashOfToken(device), now)
  // The first password of somebody who was invited recovers nothing.
  if (user.passwordHash !== null) await onRecovery(tx, userId, now)
}

/**
 * Creates a link to set the first password: a reset with a longer lifetime. Call it under the user's lock; only the
 * newest link works.
 */
export async function inviteUser(tx: Tx, userId: string, now: Date): Promise<void> {
  const token = newToken()
  const tokenHash = hashOfToken(token)
  const expiresAt = secondsAfter(now, mailLifetimeSeconds.invitation)
  await endResetsOf(tx, userId, now)
  await insertReset(tx, { tokenHash, userId, createdAt: now, expiresAt })
  const mail = { userId, dedupeKey: `invitation:${tokenHash.toString("hex")}` }
  await enqueueMails(tx, [{ ...mail, content: { kind: "invitation", token } }], now)
}

export interface Invitation {
  token: string
  expiresAt: Date
}

/** Invites by mail, and by a second link that the administrator passes on. Call it under the user's lock. */
export async function inviteByHand(tx: Tx, userId: string, admin: Actor, now: Date): Promise<Invitation> {
  await inviteUser(tx, userId, now)
  const token = newToken()
  const expiresAt = secondsAfter(now, mailLifetimeSeconds.invitation)
  await insertReset(tx, { tokenHash: hashOfToken(token), userId, createdAt: now, expiresAt, isByHand: true })
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "user.invited",
    entity: "user",
    entityId: userId,
    before: null,
    after: { expiresAt },
  })
  return { token, expiresAt }
}
