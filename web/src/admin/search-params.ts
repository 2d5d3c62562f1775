import type { AuditAction, AuditSubject } from "@tilinta/contract/vocabulary/audit"
import type { PageReportStatus } from "@tilinta/contract/vocabulary/charge-pages"
import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import type { AdminStatusFilter, UnmatchedPaymentReason } from "@tilinta/contract/vocabulary/transactions"
import type { Period } from "#format/days.ts"
import { dayOf, idOf, oneOf, pageOf, periodOf, type SearchOf, searchOf, textOf, wordOf } from "#ui/list-search.ts"

/** The day at whose end balances are shown (without it, now), the account open next to the list, and whether D and C are shown. */
export const accountsSearch = searchOf({ asOf: dayOf, account: accountOf, show: oneOf(["sides"]) })

function accountOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[a-z-]+(:[\w-]+)?$/.test(value) ? value : undefined
}

/** Every screen loads this file, so words of the contract are checked only where they are shown. */
export const auditSearch = searchOf(
  { after: idOf, action: textOf, search: textOf, entity: textOf, entityId: textOf, record: idOf },
  periodOf,
)
export type AuditAddress = SearchOf<typeof auditSearch>

export interface AuditSearch extends Omit<AuditAddress, "action" | "entity"> {
  action?: AuditAction | undefined
  entity?: AuditSubject | undefined
}

export const allChargePagesSearch = searchOf({
  page: pageOf,
  status: textOf,
  search: textOf,
  checkout: idOf,
})

export const allInvoicesSearch = searchOf({ page: pageOf, status: textOf, search: textOf })

export const dailyClosesSearch = searchOf({ page: pageOf, close: idOf })

/** Without a status the list shows what is not settled. */
const otherDisputeStatuses = ["accepted", "released", "all"] as const

export const disputesSearch = searchOf({
  page: pageOf,
  status: oneOf(otherDisputeStatuses),
  reason: textOf,
  search: textOf,
  dispute: idOf,
})

export interface DisputesSearch extends Omit<SearchOf<typeof disputesSearch>, "reason"> {
  reason?: DisputeReason | undefined
}

/** Without a status the list shows what waits for a decision. */
const otherReportStatuses = ["suspended", "dismissed", "lifted", "all"] as const satisfies readonly (
  | PageReportStatus
  | "all"
)[]

export const pageReportsSearch = searchOf({ status: oneOf(otherReportStatuses) })
export type PageReportsSearch = SearchOf<typeof pageReportsSearch>

export interface ReportsSearch {
  startDate?: string | undefined
  endDate?: string | undefined
}

/** Impossible days, and periods that end before they begin, are ignored. */
export function reportsSearch(raw: Record<string, unknown>): ReportsSearch {
  const [startDate, endDate] = [dayOf(raw.startDate), dayOf(raw.endDate)]
  const isBackwards = startDate !== undefined && endDate !== undefined && startDate > endDate
  return { startDate, endDate: isBackwards ? undefined : endDate }
}

export type StatusGroup = "approved" | "pending" | "failed" | "refunded"

/** Any word of a group selects the whole group, in an address too. */
const groupOf = {
  approved: "approved",
  success: "approved",
  paid: "approved",
  pending: "pending",
  processing: "pending",
  failed: "failed",
  error: "failed",
  cancelled: "failed",
  refunded: "refunded",
} as const satisfies Record<AdminStatusFilter, StatusGroup>

function statusGroupOf(value: unknown): StatusGroup | undefined {
  return Object.entries(groupOf).find(([word]) => word === value)?.[1]
}

export const adminTransactionsSearch = searchOf(
  { page: pageOf, status: statusGroupOf, search: textOf, paymentMethod: textOf, transaction: idOf },
  periodOf,
)

/** Without a status the list shows what is still open. */
const otherUnmatchedStatuses = ["resolved", "all"] as const

export const unmatchedSearch = searchOf({
  page: pageOf,
  status: oneOf(otherUnmatchedStatuses),
  reason: textOf,
  search: textOf,
  payment: idOf,
})
export interface UnmatchedSearch extends Omit<SearchOf<typeof unmatchedSearch>, "reason"> {
  reason?: UnmatchedPaymentReason | undefined
}

export const userStatusOptions = [
  { word: "active", label: "Ativos" },
  { word: "inactive", label: "Inativos" },
] as const
export type UserStatus = (typeof userStatusOptions)[number]["word"]
const userStatuses = userStatusOptions.map(({ word }) => word)

export const usersSearch = searchOf({ page: pageOf, status: oneOf(userStatuses), search: textOf, user: idOf })

const orders = ["oldest", "newest"] as const
export type Order = (typeof orders)[number]

/** Pending withdrawals are served first come, first served; of decided ones the latest matters. */
export function usualOrder(status: string | undefined): Order {
  return status === "pending" ? "oldest" : "newest"
}

/** Set only when it isn't the usual order. */
export function orderOf(value: unknown, status: string | undefined): Order | undefined {
  const order = wordOf(value, orders)
  return order === usualOrder(status) ? undefined : order
}

export const adminWithdrawalsSearch = searchOf(
  { page: pageOf, status: textOf, search: textOf, withdrawal: idOf },
  (raw): Period & { order?: Order | undefined } => ({
    order: orderOf(raw.order, textOf(raw.status)),
    ...periodOf(raw),
  }),
)
export type AdminWithdrawalsSearch = SearchOf<typeof adminWithdrawalsSearch>

/** A new status filter resets the order to that status's usual one. */
export function otherOrder(change: AdminWithdrawalsSearch): Pick<AdminWithdrawalsSearch, "order"> {
  return "status" in change ? { order: undefined } : {}
}
