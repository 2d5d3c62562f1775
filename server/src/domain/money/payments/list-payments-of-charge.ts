import type { Db } from "#db/transaction"
import { findPaymentIdsOfCharge } from "./payments-repository.ts"

/** The endToEndIds of all that was paid for it, also of what waits in suspense. */
export async function listPaymentsOfCharge(db: Db, chargeId: string): Promise<string[]> {
  return findPaymentIdsOfCharge(db, chargeId)
}
