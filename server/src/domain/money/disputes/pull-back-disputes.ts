import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { pullBackDefences } from "./disputes-repository.ts"

/** Longer than every lease and pause that a clock which is right can set. */
const LONGEST_PAUSE_SECONDS = 1200

/** A moment that a clock which was ahead has stored would leave the defence waiting until then. */
export async function pullBackDisputes({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const now = clock.now()
  const longestPauseEnds = secondsAfter(now, LONGEST_PAUSE_SECONDS)
  return db.transaction().execute((tx) => pullBackDefences(tx, now, longestPauseEnds))
}
