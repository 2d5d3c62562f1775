import { type WithdrawalStatus, withdrawalStatuses } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { idOf, pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

const orders = ["oldest", "newest"] as const
export type Order = (typeof orders)[number]

/** Who waits is served in turn; of what is decided, the latest matters. */
export function usualOrder(status: WithdrawalStatus | undefined): Order {
  return status === "pending" ? "oldest" : "newest"
}

export function orderOf(value: unknown, status: WithdrawalStatus | undefined): Order | undefined {
  const order = wordOf(value, orders)
  return order === usualOrder(status) ? undefined : order
}

/** Each status has an order of its own, until somebody asks for the other one. */
export function otherOrder(change: AdminWithdrawalsSearch): Pick<AdminWithdrawalsSearch, "order"> {
  return "status" in change ? { order: undefined } : {}
}

export interface AdminWithdrawalsSearch extends ListSearch<WithdrawalStatus> {
  /** Only when it isn't the usual one. */
  order?: Order | undefined
  /** The request that is open. */
  withdrawal?: string | undefined
}

export function adminWithdrawalsSearch(raw: Record<string, unknown>): AdminWithdrawalsSearch {
  const status = wordOf(raw.status, withdrawalStatuses)
  return {
    page: pageOf(raw.page),
    status,
    order: orderOf(raw.order, status),
    search: textOf(raw.search),
    ...periodOf(raw),
    withdrawal: idOf(raw.withdrawal),
  }
}
