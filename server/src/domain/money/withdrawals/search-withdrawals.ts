import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import { findWithdrawalsWithText, type WithdrawalHit } from "./withdrawal-search-repository.ts"

/** Everybody's: its own words, and those that find its seller. */
export async function searchWithdrawals(
  db: Db,
  search: SearchFor,
  sellerIds: readonly string[],
): Promise<WithdrawalHit[]> {
  return findWithdrawalsWithText(db, search, sellerIds)
}
