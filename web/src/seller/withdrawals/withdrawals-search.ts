import {
  type SellerWithdrawalStatus,
  sellerWithdrawalFilterWords,
} from "@tilinta/contract/vocabulary/withdrawal-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

export interface WithdrawalsSearch extends ListSearch<SellerWithdrawalStatus> {
  /** The withdrawal whose steps are open. */
  withdrawal?: string | undefined
  /** Whether the form is open. */
  request?: true | undefined
}

export function withdrawalsSearch(raw: Record<string, unknown>): WithdrawalsSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, sellerWithdrawalFilterWords),
    search: textOf(raw.search),
    ...periodOf(raw),
    withdrawal: textOf(raw.withdrawal),
    request: raw.request === true || undefined,
  }
}
