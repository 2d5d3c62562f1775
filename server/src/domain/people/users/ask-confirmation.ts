import type { Db, Tx } from "#db/transaction"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import { hashOfToken, newToken } from "#kit/secret-token"
import { findConfirmationTimes, insertConfirmation } from "./email-confirmations-repository.ts"
import { emailKeyOf, type User } from "./user.ts"
import { lockUser } from "./users-repository.ts"

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
export async function askIfNeverAsked(tx: Tx, user: User, protection: Protection, now: Date): Promise<void> {
  if (protection === "relaxed" || user.emailState !== "unasked" || user.role !== "user") return
  const today = await findConfirmationTimes(tx, user.id, secondsAfter(now, -LINK_SECONDS))
  if (today.length === 0) await askConfirmation(tx, user, now)
}

/** Seconds until the next link may be asked for; 0 when it may be now. */
export async function secondsToNextLink(tx: Tx, userId: string, now: Date): Promise<number> {
  const since = secondsAfter(now, -limit.windowSeconds)
  const asked = await findConfirmationTimes(tx, userId, since)
  const deciding = asked.at(-limit.mails)
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
