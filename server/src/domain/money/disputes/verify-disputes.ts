import type { Db } from "#db/transaction"
import { type DisputeDifference, findDisputeDifferences } from "./dispute-verification-repository.ts"

/** Proves that disputes, what the bank took for them and the blocked accounts tell one story. For operators. */
export async function verifyDisputes(db: Db): Promise<DisputeDifference[]> {
  return findDisputeDifferences(db)
}
