import type { Db } from "#db/transaction"
import { readUserTotals } from "./user-lists-repository.ts"

/** Of every role, inactive ones too. */
export async function countUsers(db: Db): Promise<number> {
  const totals = await readUserTotals(db)
  return totals.reduce((sum, { count }) => sum + count, 0)
}
