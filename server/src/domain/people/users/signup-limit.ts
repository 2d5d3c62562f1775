import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { deleteSignupsBefore, findNthSignup, insertSignup, lockSignupsFrom } from "./signup-attempts-repository.ts"

/** Far above what an office or a fair behind one address needs, far below what a script wants. */
const perAddress = { signups: 200, windowSeconds: 60 * 60 }

/** Counts every well-formed signup, those with a taken e-mail too, because they reveal who has an account. */
export async function countSignup(tx: Tx, address: string, now: Date): Promise<void> {
  await lockSignupsFrom(tx, address)
  const since = secondsAfter(now, -perAddress.windowSeconds)
  const deciding = await findNthSignup(tx, { address, since, nth: perAddress.signups })
  if (deciding !== undefined) {
    const retryAfterSeconds = Math.ceil((deciding.getTime() - since.getTime()) / 1000)
    throw new DomainError("too_many_requests", { retryAfterSeconds })
  }
  await insertSignup(tx, address, now)
}

export async function tidySignupAttempts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = secondsAfter(clock.now(), -perAddress.windowSeconds)
  await db.transaction().execute((tx) => deleteSignupsBefore(tx, before))
}
