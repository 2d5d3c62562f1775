import type { Db } from "#db/transaction"
import { findPaymentIdsOfCharge } from "./payments-repository.ts"

/** The endToEndIds of everything paid for the charge, unmatched payments included. */
export async function listPaymentsOfCharge(db: Db, chargeId: string): Promise<string[]> {
  return findPaymentIdsOfCharge(db, chargeId)
}
