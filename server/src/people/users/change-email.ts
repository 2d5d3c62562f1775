import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { maskedEmail } from "#kit/log"
import type { Protection } from "#kit/request-scope"
import { hashOfToken, isToken, newToken } from "#kit/secrets"
import { issueNotMeLink } from "#people/freezes/freeze"
import { closeSessionsOf } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { mailLifetimeSeconds } from "#platform/mails/mail-content"
import { enqueueMails, notifyOwner } from "#platform/mails/notify-owner"
import {
  deleteDevicesOf,
  deleteEmailChangeOf,
  endResetsOf,
  findConfirmationTimes,
  findLiveConfirmation,
  findLiveEmailChange,
  insertConfirmation,
  saveEmailChange,
} from "./credentials-table.ts"
import type { OnRecovery } from "./passwords.ts"
import { emailKeyOf, emailTaken, isEmailConflict, type User } from "./rules.ts"
import { lockUser, updateAccount, updateEmailState } from "./table.ts"

/**
 * Mails a link to the new address, which counts once the link is used, and warns the present one while there is time.
 * Call it under the user's lock.
 */
export async function beginEmailChange(
  tx: Tx,
  { user, email, by }: { user: User; email: string; by: Actor },
  now: Date,
): Promise<void> {
  const token = newToken()
  const tokenHash = hashOfToken(token)
  const expiresAt = secondsAfter(now, mailLifetimeSeconds.new_email)
  await saveEmailChange(tx, { userId: user.id, tokenHash, email, askedBy: by.id, createdAt: now, expiresAt })
  await recordAudit(tx, {
    actor: by,
    happenedAt: now,
    action: "user.email_asked",
    entity: "user",
    entityId: user.id,
    before: { email: user.email },
    after: { email },
  })
  const confirmation = { kind: "new_email", token } as const
  const dedupeKey = `new-email:${tokenHash.toString("hex")}`
  await enqueueMails(tx, [{ userId: user.id, to: email, dedupeKey, content: confirmation }], now)
  const notice = { kind: "email_change_asked", email: maskedEmail(email), askedAt: now.toISOString() } as const
  const notMe = await issueNotMeLink(tx, user.id, now)
  await notifyOwner(tx, { userId: user.id, mailTo: user.email, notice, notMe }, now)
}

/** The owner said that it wasn't them: an address that waits for its confirmation is forgotten. Call it under the user's lock. */
export async function dropEmailChange(tx: Tx, userId: string): Promise<void> {
  await deleteEmailChangeOf(tx, userId)
}

/** The link proves that its holder reads the new address, which counts from now on; all sessions end. */
export async function moveEmail(
  { db, clock, onRecovery }: { db: Db; clock: Clock; onRecovery: OnRecovery },
  { token, address }: { token: string; address: string },
): Promise<void> {
  const now = clock.now()
  const tokenHash = hashOfToken(token)
  const change = isToken(token) ? await findLiveEmailChange(db, tokenHash, now) : undefined
  if (change === undefined) throw new DomainError("email_link_invalid")
  try {
    await db
      .transaction()
      .execute((tx) => applyEmail(tx, { tokenHash, userId: change.userId, address, onRecovery }, now))
  } catch (error) {
    throw isEmailConflict(error) ? emailTaken() : error
  }
}

interface Confirmation {
  tokenHash: Buffer
  userId: string
  address: string
  onRecovery: OnRecovery
}

/** Takes the user's lock and then reads the link again: it may have been used or replaced meanwhile. */
async function applyEmail(tx: Tx, { tokenHash, userId, address, onRecovery }: Confirmation, now: Date): Promise<void> {
  const before = await lockUser(tx, userId)
  const change = await findLiveEmailChange(tx, tokenHash, now)
  if (before === undefined || !before.active || change?.userId !== userId) throw new DomainError("email_link_invalid")
  const after = { ...before, email: change.email }
  await deleteEmailChangeOf(tx, userId)
  await updateAccount(tx, after, now)
  await updateEmailState(tx, userId, "confirmed", now)
  await endResetsOf(tx, userId, now)
  await closeSessionsOf(tx, userId, { spared: null, by: { id: userId, address } }, now)
  await deleteDevicesOf(tx, userId)
  await recordAudit(tx, {
    actor: { id: userId, address },
    happenedAt: now,
    action: "user.email_moved",
    entity: "user",
    entityId: userId,
    before: { email: before.email },
    after: { email: after.email },
  })
  const notice = { kind: "email_changed", changedAt: now.toISOString() } as const
  await onRecovery(tx, userId, now)
  const notMe = await issueNotMeLink(tx, userId, now)
  await notifyOwner(tx, { userId, mailTo: before.email, notice, notMe }, now)
}

const LINK_SECONDS = 24 * 3_600
/** Somebody else may have signed up with the address, and its owner must not be flooded. */
const limit = { mails: 3, windowSeconds: 3_600 }

/** Mails a link to an address that nobody has proven yet. It carries nothing that the person who signed up wrote. */
export async function askConfirmation(tx: Tx, user: User, now: Date): Promise<void> {
  const token = newToken()
  const tokenHash = hashOfToken(token)
  const emailKey = emailKeyOf(user.email)
  const expiresAt = secondsAfter(now, LINK_SECONDS)
  await insertConfirmation(tx, { tokenHash, userId: user.id, emailKey, createdAt: now, expiresAt })
  const mail = { userId: user.id, dedupeKey: `confirm-email:${tokenHash.toString("hex")}` }
  await enqueueMails(tx, [{ ...mail, content: { kind: "confirm_email", token } }], now)
}

/**
 * Asks a seller whose account is older than strict protection, once a day of their sign-ins. Their mails and pages go on
 * meanwhile: a thief's sign-in must not silence what the owner hears.
 */
export async function requestFirstConfirmation(tx: Tx, user: User, protection: Protection, now: Date): Promise<void> {
  if (protection === "relaxed" || user.emailState !== "unasked" || user.role !== "user") return
  const today = await findConfirmationTimes(tx, user.id, secondsAfter(now, -LINK_SECONDS))
  if (today.length === 0) await askConfirmation(tx, user, now)
}

/** Seconds until the next link may be asked for; 0 when it may be now. */
export async function secondsToNextLink(tx: Tx, userId: string, now: Date): Promise<number> {
  const since = secondsAfter(now, -limit.windowSeconds)
  const requestTimes = await findConfirmationTimes(tx, userId, since)
  const deciding = requestTimes.at(-limit.mails)
  return deciding === undefined ? 0 : Math.ceil((deciding.getTime() - since.getTime()) / 1000)
}

/** Another link for the user of the session. @throws email_already_confirmed, too_many_requests */
export async function resendConfirmation({ db, clock }: { db: Db; clock: Clock }, userId: string): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => askAgain(tx, userId, now))
}

async function askAgain(tx: Tx, userId: string, now: Date): Promise<void> {
  const user = await lockUser(tx, userId)
  if (user === undefined || user.emailState === "confirmed") throw new DomainError("email_already_confirmed")
  const retryAfterSeconds = await secondsToNextLink(tx, userId, now)
  if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
  await askConfirmation(tx, user, now)
}

/** Whether a link still confirms the address of an account. */
export async function isConfirmationLink({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<boolean> {
  return isToken(token) && (await findLiveConfirmation(db, hashOfToken(token), clock.now())) !== undefined
}

/** False for a link that confirms nothing; a second use of one that did changes nothing. */
export async function confirmEmail(
  { db, clock }: { db: Db; clock: Clock },
  { token, address }: { token: string; address: string },
): Promise<boolean> {
  if (!isToken(token)) return false
  const now = clock.now()
  return db.transaction().execute((tx) => confirm(tx, { tokenHash: hashOfToken(token), address, now }))
}

async function confirm(
  tx: Tx,
  { tokenHash, address, now }: { tokenHash: Buffer; address: string; now: Date },
): Promise<boolean> {
  const link = await findLiveConfirmation(tx, tokenHash, now)
  const user = link && (await lockUser(tx, link.userId))
  if (link === undefined || user === undefined || emailKeyOf(user.email) !== link.emailKey) return false
  if (user.emailState === "confirmed") return true
  await updateEmailState(tx, user.id, "confirmed", now)
  await recordAudit(tx, {
    actor: { id: user.id, address },
    happenedAt: now,
    action: "user.email_confirmed",
    entity: "user",
    entityId: user.id,
    before: null,
    after: null,
  })
  return true
}
