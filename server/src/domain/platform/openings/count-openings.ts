import type { Db } from "#db/transaction"
import { sumOpenings } from "./openings-repository.ts"

/** How often the seller's pages were opened on these days, both included. */
export async function countOpenings(
  db: Db,
  { sellerId, dayFrom, dayTo }: { sellerId: string; dayFrom: string; dayTo: string },
): Promise<number> {
  return sumOpenings(db, sellerId, dayFrom, dayTo)
}
