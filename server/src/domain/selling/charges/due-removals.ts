import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import {
  claimDueRemovals,
  type DueRemoval,
  giveUpLostRemovals,
  markRemovals,
  type RemovalClaim,
  readOldestDueRemoval,
  updateNextRemovals,
} from "./charges-repository.ts"

export type { DueRemoval } from "./charges-repository.ts"

export async function claimDueChargeRemovals(tx: Tx, claim: RemovalClaim): Promise<DueRemoval[]> {
  return claimDueRemovals(tx, claim)
}

const HOUR_SECONDS = 3600

/** Gives up removals at providers without a connection, once each code has expired there by itself. */
export async function endLostRemovals({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const expiredBefore = secondsAfter(clock.now(), -HOUR_SECONDS)
  await db.transaction().execute((tx) => giveUpLostRemovals(tx, expiredBefore))
}

export interface RemovalOutcomes {
  done: string[]
  givenUp: string[]
  postponed: { id: string; until: Date }[]
}

export async function saveChargeRemovals(tx: Tx, { done, givenUp, postponed }: RemovalOutcomes): Promise<void> {
  await markRemovals(tx, done, "done")
  await markRemovals(tx, givenUp, "given_up")
  await updateNextRemovals(tx, postponed)
}

/** Charges that must not be paid any more but are still payable at the provider. */
export async function readDueRemovals(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return readOldestDueRemoval(db)
}
