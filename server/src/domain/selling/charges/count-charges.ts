import type { Db } from "#db/transaction"
import { readSellerChargeTotals } from "./charge-lists-repository.ts"

/** Counts of one seller's charges, from totals kept by triggers. */
export async function countCharges(db: Db, sellerId: string): Promise<{ all: number; paid: number }> {
  const totals = await readSellerChargeTotals(db, sellerId, {})
  return {
    all: totals.reduce((sum, { count }) => sum + count, 0),
    paid: totals.find(({ status }) => status === "paid")?.count ?? 0,
  }
}
