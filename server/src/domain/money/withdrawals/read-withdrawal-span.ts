import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { withdrawalOwnedBy } from "./withdrawal.ts"
import { findWithdrawalBefore, findWithdrawals } from "./withdrawals-repository.ts"

/** From the request of the seller's withdrawal before this one to its own. */
export async function readWithdrawalSpan(
  db: Db,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<{ from: Date; to: Date }> {
  const [found] = isId(id) ? await findWithdrawals(db, [id]) : []
  const withdrawal = withdrawalOwnedBy(found ?? null, sellerId)
  const from = (await findWithdrawalBefore(db, withdrawal)) ?? new Date(0)
  return { from, to: withdrawal.createdAt }
}
