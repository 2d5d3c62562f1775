import type { Db } from "#db/transaction"
import { type EntryDifference, findEntryDifferences } from "./entry-verification-repository.ts"

/** Verifies the accounts that people's entries move, and each seller's balance against all that moved it. For operators. */
export async function verifyEntries(db: Db): Promise<EntryDifference[]> {
  return findEntryDifferences(db)
}
