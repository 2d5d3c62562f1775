import type { Tx } from "#db/transaction"
import {
  type ChargeOutcome,
  lockChargesAndOpenOnes,
  lockChargesOfTxids,
  type PayableCharge,
  updateChargeOutcomes,
} from "./charges-of-payments-repository.ts"

export type { ChargeOutcome, PayableCharge } from "./charges-of-payments-repository.ts"

/** Locks the paid charges and, of pages that may be completed, the open ones. Call it under the pages' locks. */
export async function lockChargesOfPayments(
  tx: Tx,
  txids: string[],
  fillingPageIds: string[],
): Promise<PayableCharge[]> {
  if (txids.length === 0) return []
  return fillingPageIds.length === 0 ? lockChargesOfTxids(tx, txids) : lockChargesAndOpenOnes(tx, txids, fillingPageIds)
}

export async function saveChargeOutcomes(tx: Tx, outcomes: ChargeOutcome[], now: Date): Promise<void> {
  await updateChargeOutcomes(tx, outcomes, now)
}
