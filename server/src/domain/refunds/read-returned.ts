import type { Db } from "#db/transaction"
import type { Cents } from "#kit/money"
import { sumReturnedFromSuspense } from "./refunds-repository.ts"

/** How much of a payment in suspense the bank has taken back already. */
export async function readReturnedFromSuspense(db: Db, endToEndId: string): Promise<Cents> {
  return sumReturnedFromSuspense(db, endToEndId)
}
