import type { Db } from "#db/transaction"
import { readChargePageCounts } from "./charge-pages-repository.ts"

/** Counts of one seller's pages, from totals kept by triggers. */
export async function countChargePages(db: Db, sellerId: string): Promise<{ all: number; active: number }> {
  const counts = await readChargePageCounts(db, sellerId)
  return { all: [...counts.values()].reduce((sum, count) => sum + count, 0), active: counts.get("active") ?? 0 }
}
