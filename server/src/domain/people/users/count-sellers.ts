import type { Db } from "#db/transaction"
import { readUserTotals } from "./user-lists-repository.ts"

/** Includes inactive sellers. */
export async function countSellers(db: Db): Promise<number> {
  const totals = await readUserTotals(db)
  return totals.filter(({ role }) => role === "user").reduce((sum, { count }) => sum + count, 0)
}
