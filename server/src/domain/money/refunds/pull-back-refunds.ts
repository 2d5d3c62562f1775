import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { pullBackProcessingRefunds } from "./refunds-repository.ts"

/** Longer than every lease and pause that a clock which is right can set. */
const LONGEST_PAUSE_SECONDS = 600

/** A moment that a clock which was ahead has stored would leave the refund waiting until then. */
export async function pullBackRefunds({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const now = clock.now()
  const longestPauseEnds = secondsAfter(now, LONGEST_PAUSE_SECONDS)
  return db.transaction().execute((tx) => pullBackProcessingRefunds(tx, now, longestPauseEnds))
}
