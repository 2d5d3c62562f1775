import type { Tx } from "#db/transaction"
import type { AskedCharge } from "./charge.ts"
import {
  type ChargeOutcome,
  findPagesOfTxids,
  lockChargesAndOpenOnes,
  updateChargeOutcomes,
} from "./charges-repository.ts"

export type { ChargeOutcome } from "./charges-repository.ts"

/** Known before any lock is taken: a charge never moves to another page. */
export async function pagesOfTxids(tx: Tx, txids: string[]): Promise<{ txid: string; pageId: string }[]> {
  return findPagesOfTxids(tx, txids)
}

/** The charges that were paid and, of the pages that may be completed, the open ones. Call it under the pages' locks. */
export async function lockChargesOfPayments(tx: Tx, txids: string[], fillingPageIds: string[]): Promise<AskedCharge[]> {
  return txids.length === 0 ? [] : lockChargesAndOpenOnes(tx, txids, fillingPageIds)
}

export async function saveChargeOutcomes(tx: Tx, outcomes: ChargeOutcome[], now: Date): Promise<void> {
  await updateChargeOutcomes(tx, outcomes, now)
}
