import { executeOne } from "#db/one-statement"
import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { longestPauseSeconds } from "./delivery-schedule.ts"
import { queueOldestOfSilent } from "./outages-repository.ts"

/**
 * An endpoint whose deliveries have all had their tries would wait for its next event, however long ago it came back: its
 * oldest delivery asks it twice a day, and the first answer releases the rest.
 */
export async function askSilentEndpoints({ db, dueClock }: { db: Db; dueClock: Clock }): Promise<void> {
  const now = dueClock.now()
  await executeOne(db, queueOldestOfSilent({ now, triedBefore: secondsAfter(now, -longestPauseSeconds) }))
}
