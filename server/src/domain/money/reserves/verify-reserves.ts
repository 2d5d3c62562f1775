import type { Db } from "#db/transaction"
import { findReserveDifferences } from "./reserve-verification-repository.ts"

/** Verifies that sellers' reserved accounts are what their days hold. For operators. */
export async function verifyReserves(db: Db) {
  return findReserveDifferences(db)
}
