import type { Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { removeDoubtful } from "./destinations-repository.ts"

/** Longer than a thief waits for the money, shorter than the habits of most sellers. */
const DOUBTFUL_DAYS = 30

/**
 * After a complaint of the owner's, a place where nothing ever arrived is new again, and so is one that was first used in the
 * last days: a thief may have been paid there already.
 */
export async function distrustDestinations(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await removeDoubtful(tx, sellerId, { usedSince: secondsAfter(now, -DOUBTFUL_DAYS * 86_400), now })
}
