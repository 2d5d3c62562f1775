import type { Db } from "#db/transaction"
import type { Cents } from "#kit/money"
import { sellerAvailable } from "#ledger/accounts"
import { readBalance } from "#ledger/read-balance"

/** What the seller may withdraw now. */
export async function readSellerBalance(db: Db, sellerId: string): Promise<Cents> {
  return readBalance(db, sellerAvailable(sellerId))
}
