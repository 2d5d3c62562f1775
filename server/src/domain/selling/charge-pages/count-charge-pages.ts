import type { Db } from "#db/transaction"
import { readChargePageCounts } from "./charge-pages-repository.ts"

/** Of one seller, from totals that are kept as pages change. */
export async function countChargePages(db: Db, sellerId: string): Promise<{ all: number; active: number }> {
  const counts = await readChargePageCounts(db, sellerId)
  return { all: [...counts.values()].reduce((sum, count) => sum + count, 0), active: counts.get("active") ?? 0 }
}
