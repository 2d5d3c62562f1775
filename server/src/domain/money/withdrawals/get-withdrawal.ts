import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { type Withdrawal, withdrawalOwnedBy } from "./withdrawal.ts"
import { findWithdrawals } from "./withdrawals-repository.ts"

export async function getWithdrawal(db: Db, { id, sellerId }: { id: string; sellerId: string }): Promise<Withdrawal> {
  const [found] = isId(id) ? await findWithdrawals(db, [id]) : []
  return withdrawalOwnedBy(found ?? null, sellerId)
}
