import type { Tx } from "#db/transaction"
import { sellerAvailable } from "#ledger/accounts"
import { holdBalances } from "#ledger/hold-balances"

/**
 * Call it before a withdrawal that gives money back changes: a request holds the seller's balance and then adds to
 * the totals, so whoever changed the totals first and moved the balance then would wait for it for ever.
 */
export async function holdForReturn(tx: Tx, { sellerId }: { sellerId: string }): Promise<void> {
  await holdBalances(tx, [sellerAvailable(sellerId)])
}
