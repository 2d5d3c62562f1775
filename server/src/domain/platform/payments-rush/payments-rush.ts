import type { Db } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { holdsNewMessages } from "./payments-rush-repository.ts"

const MANY = 50
const RECENT_SECONDS = 30

/** True when payments arrive faster than they are booked, so that deferrable work should pause. */
export async function isPaymentsRush(db: Db, now: Date): Promise<boolean> {
  return holdsNewMessages(db, { atLeast: MANY, since: secondsAfter(now, -RECENT_SECONDS) })
}
