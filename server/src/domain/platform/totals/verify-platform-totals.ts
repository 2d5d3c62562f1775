import type { Db } from "#db/transaction"
import { findPlatformDifferences, type PlatformDifference } from "./verification-repository.ts"

/** Proves that the platform's totals, and what a search looks at, are those of the rows. For operators. */
export async function verifyPlatformTotals(db: Db): Promise<PlatformDifference[]> {
  return findPlatformDifferences(db)
}
