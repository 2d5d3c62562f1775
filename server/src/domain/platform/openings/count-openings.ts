import type { Db } from "#db/transaction"
import { sumOpenings } from "./openings-repository.ts"

/** Page views of the seller's pages on these days, both inclusive. */
export async function countOpenings(
  db: Db,
  { sellerId, dayFrom, dayTo }: { sellerId: string; dayFrom: string; dayTo: string },
): Promise<number> {
  return sumOpenings(db, sellerId, dayFrom, dayTo)
}
