import type { Db, Tx } from "#db/transaction"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { networkOf } from "#kit/outside"
import { currentDevice, type Protection } from "#kit/request-scope"
import { recordAudit } from "#platform/audit/record"
import type { AuditEntry } from "#platform/audit/rules"
import { enqueueMails, notifyOwner } from "#platform/mails/notify-owner"
import {
  countFailures,
  deleteFailuresBefore,
  deleteFailuresOf,
  type FailedLogin,
  findNthFailure,
  findNthSignup,
  insertFailure,
  insertSignup,
  lockFailuresOf,
  lockSignupsFrom,
} from "./credentials-table.ts"
import { isByKnownDevice, type LoginAttempt } from "./known-devices.ts"
import { findUserByEmail } from "./reads.ts"
import { emailKeyOf, type User } from "./rules.ts"

const perAccount = { failures: 10, windowSeconds: 15 * 60 }
const perAddress = { failures: 100, windowSeconds: 60 * 60 }
/** From unknown devices, whatever their addresses: a botnet has thousands. A link by mail or a known device gets in. */
const perAccountADay = { failures: 100, windowSeconds: 24 * 60 * 60 }

/** The owner hears of so many, wherever they came from. */
const noticeRule = { failures: 10, windowSeconds: 24 * 60 * 60 }

/** Counts wrong passwords only: the owner can still log in from another address, and from a known device. */
export async function refuseTooManyFailures(db: Db, attempt: FailedLogin, now: Date): Promise<void> {
  const { accountKey, address } = attempt
  const waits = await Promise.all([
    secondsToWait(db, { accountKey, address }, perAccount, now),
    secondsToWait(db, { address }, perAddress, now),
  ])
  const ofAccount = isByKnownDevice(attempt) ? 0 : await secondsToWait(db, { accountKey }, perAccountADay, now)
  if (ofAccount > 0)
    throw new DomainError("too_many_requests", { retryAfterSeconds: ofAccount, message: closedToStrangers })
  const retryAfterSeconds = Math.max(...waits)
  if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
}

const closedToStrangers =
  "Houve muitas tentativas com senha errada nesta conta. Entre por um aparelho que já usou ou redefina a sua senha por e-mail."

/** Refuses instead if concurrent guesses have used up the limit. */
export async function recordFailure(tx: Tx, failure: LoginAttempt, now: Date): Promise<void> {
  await lockFailuresOf(tx, failure)
  await refuseTooManyFailures(tx, failure, now)
  await insertFailure(tx, failure, now)
  await deleteFailuresBefore(tx, failure.address, secondsAfter(now, -perAccountADay.windowSeconds))
  const user = await findUserByEmail(tx, failure.accountKey)
  await recordAudit(tx, failureAuditOf(failure, user?.id ?? null, now))
  if (user !== undefined) await notifyOfFailures(tx, failure, user.id, now)
  await recordClosing(tx, failure, user?.id ?? null, now)
}

/** Later failures of the day are not told again: guesses must not flood the owner. */
async function notifyOfFailures(tx: Tx, { accountKey, from }: LoginAttempt, userId: string, now: Date): Promise<void> {
  const since = secondsAfter(now, -noticeRule.windowSeconds)
  if ((await countFailures(tx, { accountKey, since, atMost: noticeRule.failures })) < noticeRule.failures) return
  const whence = { address: from, userAgent: currentDevice() }
  const notice = { kind: "failed_logins", attempts: noticeRule.failures, at: now.toISOString(), ...whence } as const
  await notifyOwner(tx, { userId, notice, dedupeKey: `failed-logins:${userId}:${saoPauloDay(now)}` }, now)
}

/** Refused guesses are no failures, so the limits bound these records, too. What was typed is stored nowhere. */
function failureAuditOf(failure: LoginAttempt, userId: string | null, now: Date): AuditEntry {
  return {
    actor: null,
    whence: { address: failure.from },
    happenedAt: now,
    action: "session.failed",
    entity: "session",
    entityId: userId ?? failure.from,
    before: null,
    after: { userId, knownDevice: isByKnownDevice(failure) },
  }
}

/** The failure that reaches a limit is recorded once more: later ones are refused. */
async function recordClosing(tx: Tx, failure: LoginAttempt, userId: string | null, now: Date): Promise<void> {
  const { accountKey, address } = failure
  const ofAccount = [
    { who: { accountKey, address }, limit: perAccount },
    ...(isByKnownDevice(failure) ? [] : [{ who: { accountKey }, limit: perAccountADay }]),
  ]
  for (const { who, limit } of ofAccount) {
    if (userId === null || (await secondsToWait(tx, who, limit, now)) === 0) continue
    await recordAudit(tx, refusalAuditOf(failure, userId, limit.failures, now))
  }
  if ((await secondsToWait(tx, { address }, perAddress, now)) === 0) return
  await recordAudit(tx, refusalAuditOf(failure, null, perAddress.failures, now))
}

function refusalAuditOf(failure: LoginAttempt, userId: string | null, attempts: number, now: Date): AuditEntry {
  const network = isByKnownDevice(failure) ? "Aparelho já conhecido" : failure.address
  return {
    actor: null,
    whence: { address: failure.from },
    happenedAt: now,
    action: "session.refused",
    entity: "session",
    entityId: userId ?? network,
    before: null,
    after: { userId, network, attempts },
  }
}

/** After a reset by mail the owner gets in, however often the old password was guessed. */
export async function forgetFailuresOf(tx: Tx, email: string): Promise<void> {
  await deleteFailuresOf(tx, emailKeyOf(email))
}

async function secondsToWait(
  db: Db,
  who: { accountKey?: string; address?: string },
  limit: { failures: number; windowSeconds: number },
  now: Date,
): Promise<number> {
  const since = secondsAfter(now, -limit.windowSeconds)
  const deciding = await findNthFailure(db, { ...who, since, nth: limit.failures })
  return deciding === undefined ? 0 : Math.ceil((deciding.getTime() - since.getTime()) / 1000)
}

/** Far above what an office or a fair behind one address needs, far below what a script wants. */
export const signupsPerAddress = { signups: 200, windowSeconds: 60 * 60 }

/** An answer of `email_taken` tells who has an account, so that strict protection lets few of them through. */
const meetings = { most: 5, notifySeconds: 60 * 60 }

interface Attempt {
  email: string
  /** The IP address of the request. */
  address: string
  protection: Protection
}

/**
 * Counts every well-formed signup, and tells whether the e-mail has an account. Whoever met too many accounts is let
 * through with no e-mail at all, as a refusal of known ones alone would tell the same.
 */
export async function countSignup(tx: Tx, { email, address, protection }: Attempt, now: Date): Promise<boolean> {
  const network = networkOf(address)
  await lockSignupsFrom(tx, network)
  await refuseMany(tx, { address: network, meetsOnly: false, nth: signupsPerAddress.signups }, now)
  const isStrict = protection === "strict"
  if (isStrict) await refuseMany(tx, { address: network, meetsOnly: true, nth: meetings.most }, now)
  const owner = await findUserByEmail(tx, email)
  const meetsAccount = owner !== undefined
  await insertSignup(tx, { address: network, attemptedAt: now, meetsAccount })
  if (isStrict && meetsAccount) await notifyOwnerOfSignup(tx, owner, { address, now })
  return meetsAccount
}

async function refuseMany(
  tx: Tx,
  query: { address: string; meetsOnly: boolean; nth: number },
  now: Date,
): Promise<void> {
  const since = secondsAfter(now, -signupsPerAddress.windowSeconds)
  const deciding = await findNthSignup(tx, { ...query, since })
  if (deciding === undefined) return
  const retryAfterSeconds = Math.ceil((deciding.getTime() - since.getTime()) / 1000)
  throw new DomainError("too_many_requests", { retryAfterSeconds })
}

/** Once an hour at most, however many try. */
async function notifyOwnerOfSignup(
  tx: Tx,
  { id }: User,
  { address, now }: { address: string; now: Date },
): Promise<void> {
  const hour = Math.floor(now.getTime() / (meetings.notifySeconds * 1000))
  const content = { kind: "signup_repeated", attemptedAt: now.toISOString(), address } as const
  await enqueueMails(tx, [{ userId: id, dedupeKey: `signup-repeated:${id}:${hour}`, content }], now)
}
