import type { Db } from "#db/transaction"
import { findPlatformDifferences, type PlatformDifference } from "./platform-totals-verification-repository.ts"

/** Verifies the platform's totals and search texts against the rows. For operators. */
export async function verifyPlatformTotals(db: Db): Promise<PlatformDifference[]> {
  return findPlatformDifferences(db)
}
