import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { pullBackPayouts } from "./withdrawals-repository.ts"

/** Longer than every lease and pause that a clock which is right can set. */
const LONGEST_PAUSE_SECONDS = 600

/** A moment that a clock which was ahead has stored would leave the payout waiting until then. */
export async function pullBackWithdrawals({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const now = clock.now()
  const longestPauseEnds = secondsAfter(now, LONGEST_PAUSE_SECONDS)
  return db.transaction().execute((tx) => pullBackPayouts(tx, now, longestPauseEnds))
}
