import { type WithdrawalStatus, withdrawalStatuses } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { idOf, pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

export interface AdminWithdrawalsSearch extends ListSearch<WithdrawalStatus> {
  /** The request that is open. */
  withdrawal?: string | undefined
}

export function adminWithdrawalsSearch(raw: Record<string, unknown>): AdminWithdrawalsSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, withdrawalStatuses),
    search: textOf(raw.search),
    ...periodOf(raw),
    withdrawal: idOf(raw.withdrawal),
  }
}
