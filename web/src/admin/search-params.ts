import type { AuditAction, AuditSubject } from "@tilinta/contract/vocabulary/audit"
import { chargePageStatuses, pageReportStatuses } from "@tilinta/contract/vocabulary/charge-pages"
import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import {
  type AdminStatusFilter,
  adminStatusFilterWords,
  unmatchedPaymentReasons,
} from "@tilinta/contract/vocabulary/transactions"
import { paymentMethods, type WithdrawalStatus, withdrawalStatuses } from "@tilinta/contract/vocabulary/withdrawals"
import type { Period } from "#format/days.ts"
import { dayOf, idOf, oneOf, pageOf, periodOf, type SearchOf, searchOf, textOf, wordOf } from "#ui/list-search.ts"

/** The day at whose end balances are shown (without it, now), the account open next to the list, and whether D and C are shown. */
export const accountsSearch = searchOf({ asOf: dayOf, account: accountOf, show: oneOf(["sides"]) })

function accountOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[a-z-]+(:[\w-]+)?$/.test(value) ? value : undefined
}

/** Every screen loads this file, so words of the audit trail and of disputes are checked only where they are shown. */
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
  status: oneOf(chargePageStatuses),
  search: textOf,
  checkout: idOf,
})
export type AllChargePagesSearch = SearchOf<typeof allChargePagesSearch>

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
const otherReportStatuses = [...pageReportStatuses.filter((status) => status !== "open"), "all"] as const

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
  const status = wordOf(value, adminStatusFilterWords)
  return status === undefined ? undefined : groupOf[status]
}

export const adminTransactionsSearch = searchOf(
  { page: pageOf, status: statusGroupOf, search: textOf, paymentMethod: oneOf(paymentMethods), transaction: idOf },
  periodOf,
)

/** Without a status the list shows what is still open. */
const otherUnmatchedStatuses = ["resolved", "all"] as const

export const unmatchedSearch = searchOf({
  page: pageOf,
  status: oneOf(otherUnmatchedStatuses),
  reason: oneOf(unmatchedPaymentReasons),
  search: textOf,
  payment: idOf,
})
export type UnmatchedSearch = SearchOf<typeof unmatchedSearch>

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
export function usualOrder(status: WithdrawalStatus | undefined): Order {
  return status === "pending" ? "oldest" : "newest"
}

/** Set only when it isn't the usual order. */
export function orderOf(value: unknown, status: WithdrawalStatus | undefined): Order | undefined {
  const order = wordOf(value, orders)
  return order === usualOrder(status) ? undefined : order
}

export const adminWithdrawalsSearch = searchOf(
  { page: pageOf, status: oneOf(withdrawalStatuses), search: textOf, withdrawal: idOf },
  (raw): Period & { order?: Order | undefined } => ({
    order: orderOf(raw.order, wordOf(raw.status, withdrawalStatuses)),
    ...periodOf(raw),
  }),
)
export type AdminWithdrawalsSearch = SearchOf<typeof adminWithdrawalsSearch>

/** A new status filter resets the order to that status's usual one. */
export function otherOrder(change: AdminWithdrawalsSearch): Pick<AdminWithdrawalsSearch, "order"> {
  return "status" in change ? { order: undefined } : {}
}
