import type { Db } from "#db/transaction"
import { getWithdrawal } from "./get-withdrawal.ts"
import { findNeighbours } from "./withdrawals-repository.ts"

interface RequestedAt {
  id: string
  createdAt: Date
}

/** A withdrawal of the seller's, and those among which the one before it is. */
export async function findWithNeighbours(
  db: Db,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<{ own: RequestedAt; neighbours: RequestedAt[] }> {
  const own = await getWithdrawal(db, { id, sellerId })
  return { own, neighbours: await findNeighbours(db, own) }
}
