import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import { findWithdrawalsWithText, type WithdrawalHit } from "./withdrawal-search-repository.ts"

/** Searches all withdrawals, by their own text and by their sellers. */
export async function searchWithdrawals(
  db: Db,
  search: SearchFor,
  sellerIds: readonly string[],
): Promise<WithdrawalHit[]> {
  return findWithdrawalsWithText(db, search, sellerIds)
}
