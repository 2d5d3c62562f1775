import type { Db } from "#db/transaction"
import { type DisputeDifference, findDisputeDifferences } from "./dispute-verification-repository.ts"

/** Verifies that disputes, the bank's debits and the blocked accounts agree. For operators. */
export async function verifyDisputes(db: Db): Promise<DisputeDifference[]> {
  return findDisputeDifferences(db)
}
