import type { Db } from "#db/transaction"
import { readReserveRules } from "#domain/platform/settings/read-setting"
import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { sellerAvailable, sellerBlocked } from "#ledger/accounts"
import { readAvailable, readBalance } from "#ledger/read-balance"
import { readWithdrawable, readWithdrawables } from "#money/reserves/reads"

/** The amount that the seller may withdraw now. */
export async function readSellerBalance(db: Db, sellerId: string): Promise<Cents> {
  const balanceCents = await readBalance(db, sellerAvailable(sellerId))
  return readWithdrawable(db, { sellerId, balanceCents }, await readReserveRules(db))
}

/** The seller's money in undecided disputes. */
export async function readSellerBlocked(db: Db, sellerId: string): Promise<Cents> {
  return readBalance(db, sellerBlocked(sellerId))
}

/** Balances of the sellers, in their order. */
export async function readSellerBalances(db: Db, sellerIds: string[]): Promise<Cents[]> {
  const available = await readWithdrawables(db, await readAvailable(db, sellerIds))
  return sellerIds.map((id) => available.get(id) ?? noMoney)
}
