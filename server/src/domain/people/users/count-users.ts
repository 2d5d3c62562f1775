import type { Db } from "#db/transaction"
import { readUserTotals } from "./user-lists-repository.ts"

/** Includes every role, inactive users too. */
export async function countUsers(db: Db): Promise<number> {
  const totals = await readUserTotals(db)
  return totals.reduce((sum, { count }) => sum + count, 0)
}
