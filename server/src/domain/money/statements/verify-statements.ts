import type { Db } from "#db/transaction"
import type { LedgerDifference } from "#ledger/verify-ledger"
import { compareStatements } from "./statement-verification-repository.ts"

/** Compares the sellers' statements with their balances, and with the movements that they were written from. */
export function verifyStatements(db: Db): Promise<LedgerDifference[]> {
  return compareStatements(db)
}
