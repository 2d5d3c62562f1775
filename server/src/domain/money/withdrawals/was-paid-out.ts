import type { Db } from "#db/transaction"
import { existsCompletedOf } from "./withdrawals-repository.ts"

/** False for a new seller, whom no administrator has looked at yet: the first withdrawal needs a person. */
export async function wasPaidOut(db: Db, sellerId: string): Promise<boolean> {
  return existsCompletedOf(db, sellerId)
}
