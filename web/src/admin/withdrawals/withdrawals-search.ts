import { type WithdrawalStatus, withdrawalStatuses } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { idOf, pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

const orders = ["oldest", "newest"] as const
export type Order = (typeof orders)[number]

/** Pending withdrawals are served first come, first served; of decided ones the latest matters. */
export function usualOrder(status: WithdrawalStatus | undefined): Order {
  return status === "pending" ? "oldest" : "newest"
}

export function orderOf(value: unknown, status: WithdrawalStatus | undefined): Order | undefined {
  const order = wordOf(value, orders)
  return order === usualOrder(status) ? undefined : order
}

/** A new status filter resets the order to that status's usual one. */
export function otherOrder(change: AdminWithdrawalsSearch): Pick<AdminWithdrawalsSearch, "order"> {
  return "status" in change ? { order: undefined } : {}
}

export interface AdminWithdrawalsSearch extends ListSearch<WithdrawalStatus> {
  /** Set only when it isn't the usual order. */
  order?: Order | undefined
  /** The open withdrawal. */
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
