import type { Db } from "#db/transaction"
import type { UncreditedPayment } from "./unmatched-payment.ts"
import { findUncreditedRows } from "./unmatched-payments-repository.ts"

/** By id. */
export async function findUncreditedPayments(db: Db, ids: readonly string[]): Promise<Map<string, UncreditedPayment>> {
  return findUncreditedRows(db, ids)
}
