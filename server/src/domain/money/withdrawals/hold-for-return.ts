import type { Tx } from "#db/transaction"
import { sellerAvailable } from "#ledger/accounts"
import { holdBalances } from "#ledger/hold-balances"

/**
 * Call it before changing a withdrawal that gives money back. A request locks the seller's balance and then the totals,
 * so locking the totals first and the balance then would deadlock with it.
 */
export async function holdForReturn(tx: Tx, { sellerId }: { sellerId: string }): Promise<void> {
  await holdBalances(tx, [sellerAvailable(sellerId)])
}
