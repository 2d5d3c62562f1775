import type { Db, Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import {
  deleteFailuresBefore,
  deleteFailuresOf,
  type FailedLogin,
  findNthFailure,
  insertFailure,
  lockFailuresOf,
} from "./failed-logins-repository.ts"
import { emailKeyOf } from "./user.ts"

const perAccount = { failures: 10, windowSeconds: 15 * 60 }
const perAddress = { failures: 100, windowSeconds: 60 * 60 }

/** Counts wrong passwords only, per address: the owner can still log in from another one. */
export async function refuseTooManyFailures(db: Db, { accountKey, address }: FailedLogin, now: Date): Promise<void> {
  const waits = await Promise.all([
    secondsToWait(db, { accountKey, address }, perAccount, now),
    secondsToWait(db, { address }, perAddress, now),
  ])
  const retryAfterSeconds = Math.max(...waits)
  if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
}

/** Refuses instead if concurrent guesses have used up the limit. */
export async function recordFailure(tx: Tx, failure: FailedLogin, now: Date): Promise<void> {
  await lockFailuresOf(tx, failure.address)
  await refuseTooManyFailures(tx, failure, now)
  await insertFailure(tx, failure, now)
  await deleteFailuresBefore(tx, failure.address, secondsAfter(now, -perAddress.windowSeconds))
}

/** After a reset by mail the owner gets in, however often the old password was guessed. */
export async function forgetFailuresOf(tx: Tx, email: string): Promise<void> {
  await deleteFailuresOf(tx, emailKeyOf(email))
}

async function secondsToWait(
  db: Db,
  who: { accountKey?: string; address: string },
  limit: { failures: number; windowSeconds: number },
  now: Date,
): Promise<number> {
  const since = secondsAfter(now, -limit.windowSeconds)
  const deciding = await findNthFailure(db, { ...who, since, nth: limit.failures })
  return deciding === undefined ? 0 : Math.ceil((deciding.getTime() - since.getTime()) / 1000)
}
