import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { pullBackRemovals } from "./charges-repository.ts"

/** Longer than every lease and pause that a clock which is right can set. */
const LONGEST_PAUSE_SECONDS = 7 * 3600

/** A moment that a clock which was ahead has stored would leave the code payable until then. */
export async function pullBackCharges({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const now = clock.now()
  const longestPauseEnds = secondsAfter(now, LONGEST_PAUSE_SECONDS)
  return db.transaction().execute((tx) => pullBackRemovals(tx, now, longestPauseEnds))
}
