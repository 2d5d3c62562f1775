import type { Tx } from "#db/transaction"
import type { Charge } from "./charge.ts"
import {
  type ChargeOutcome,
  findPageIdsOfTxids,
  lockChargesOfPages,
  updateChargeOutcomes,
} from "./charges-repository.ts"

export type { ChargeOutcome } from "./charges-repository.ts"

/** Known before any lock is taken: a charge never moves to another page. */
export async function pagesOfTxids(tx: Tx, txids: string[]): Promise<string[]> {
  return findPageIdsOfTxids(tx, txids)
}

/** The charges asked for and all open ones of their pages, locked. Call it under the pages' locks. */
export async function lockChargesOfPayments(tx: Tx, txids: string[], pageIds: string[]): Promise<Charge[]> {
  return lockChargesOfPages(tx, txids, pageIds)
}

export async function saveChargeOutcomes(tx: Tx, outcomes: ChargeOutcome[], now: Date): Promise<void> {
  await updateChargeOutcomes(tx, outcomes, now)
}
