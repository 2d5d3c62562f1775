import type { Db, Tx } from "#db/transaction"
import { findRecoveredRow, markRecoveredRow } from "./users-repository.ts"

/**
 * Runs when somebody got into an account, or changed it, without its password: in the transaction of the change, under the
 * user's lock. It is given from above, where withdrawals are known: they wait then.
 */
export type OnRecovery = (tx: Tx, userId: string, now: Date) => Promise<void>

/** Only for `OnRecovery`, under the user's lock. */
export async function markRecovered(tx: Tx, userId: string, now: Date): Promise<void> {
  await markRecoveredRow(tx, userId, now)
}

export async function findRecoveredAt(db: Db, userId: string): Promise<Date | null> {
  return findRecoveredRow(db, userId)
}
