import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { withdrawalOwnedBy } from "./withdrawal.ts"
import { findNeighbours, findWithdrawals } from "./withdrawals-repository.ts"

interface RequestedAt {
  id: string
  createdAt: Date
}

/** A withdrawal of the seller's, and those among which the one before it is. */
export async function findWithNeighbours(
  db: Db,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<{ own: RequestedAt; neighbours: RequestedAt[] }> {
  const [found] = isId(id) ? await findWithdrawals(db, [id]) : []
  const own = withdrawalOwnedBy(found ?? null, sellerId)
  return { own, neighbours: await findNeighbours(db, own) }
}
