import type { Db, Tx } from "#db/transaction"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { networkOf } from "#kit/client-network"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import { deleteSignupsBefore, findNthSignup, insertSignup, lockSignupsFrom } from "./signup-attempts-repository.ts"
import type { User } from "./user.ts"
import { findUserByEmail } from "./users-repository.ts"

/** Far above what an office or a fair behind one address needs, far below what a script wants. */
const perAddress = { signups: 200, windowSeconds: 60 * 60 }

/** An answer of `email_taken` tells who has an account, so that strict protection lets few of them through. */
const meetings = { most: 5, tellSeconds: 60 * 60 }

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
  await refuseMany(tx, { address: network, meetsOnly: false, nth: perAddress.signups }, now)
  const isStrict = protection === "strict"
  if (isStrict) await refuseMany(tx, { address: network, meetsOnly: true, nth: meetings.most }, now)
  const owner = await findUserByEmail(tx, email)
  const meetsAccount = owner !== undefined
  await insertSignup(tx, { address: network, attemptedAt: now, meetsAccount })
  if (isStrict && meetsAccount) await tellOwner(tx, owner, { address, now })
  return meetsAccount
}

async function refuseMany(
  tx: Tx,
  asked: { address: string; meetsOnly: boolean; nth: number },
  now: Date,
): Promise<void> {
  const since = secondsAfter(now, -perAddress.windowSeconds)
  const deciding = await findNthSignup(tx, { ...asked, since })
  if (deciding === undefined) return
  const retryAfterSeconds = Math.ceil((deciding.getTime() - since.getTime()) / 1000)
  throw new DomainError("too_many_requests", { retryAfterSeconds })
}

/** Once an hour at most, however many try. */
async function tellOwner(tx: Tx, { id }: User, { address, now }: { address: string; now: Date }): Promise<void> {
  const hour = Math.floor(now.getTime() / (meetings.tellSeconds * 1000))
  const content = { kind: "signup_repeated", attemptedAt: now.toISOString(), address } as const
  await enqueueMails(tx, [{ userId: id, dedupeKey: `signup-repeated:${id}:${hour}`, content }], now)
}

export async function tidySignupAttempts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -perAddress.windowSeconds)
  await db.transaction().execute((tx) => deleteSignupsBefore(tx, before))
}
