import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { lessUnheld } from "#domain/money/reserves/read-to-come"
import { sellerAvailable, sellerBlocked } from "#ledger/accounts"
import { readAvailable, readBalance } from "#ledger/read-balance"

/** The amount that the seller may withdraw now. */
export async function readSellerBalance(db: Db, sellerId: string): Promise<Cents> {
  const balanceCents = await readBalance(db, sellerAvailable(sellerId))
  return (await lessUnheld(db, new Map([[sellerId, balanceCents]]))).get(sellerId) ?? balanceCents
}

/** The seller's money in undecided disputes. */
export async function readSellerBlocked(db: Db, sellerId: string): Promise<Cents> {
  return readBalance(db, sellerBlocked(sellerId))
}

/** Balances of the sellers, in their order. */
export async function readSellerBalances(db: Db, sellerIds: string[]): Promise<Cents[]> {
  const available = await lessUnheld(db, await readAvailable(db, sellerIds))
  return sellerIds.map((id) => available.get(id) ?? noMoney)
}
