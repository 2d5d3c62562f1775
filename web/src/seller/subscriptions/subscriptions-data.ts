import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { OwnDebitView } from "@tilinta/contract/mandates"
import type { CycleView, SubscriptionView } from "@tilinta/contract/subscriptions"
import { perPeriod, type SubscriptionStatus } from "@tilinta/contract/vocabulary/subscriptions"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import { formatReais } from "#format/money-text.ts"
import { subscriptionsKey } from "#seller/seller-data.ts"

export const pageSize = 10

interface SubscriptionsFilter {
  status: SubscriptionStatus | undefined
  search: string | undefined
  customerId: string | undefined
}

export function subscriptionsQuery(page: number, filter: SubscriptionsFilter) {
  return listQuery({
    key: subscriptionsKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listSubscriptions, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.subscriptions,
  })
}

export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: [...subscriptionsKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getSubscription, { params: { id }, signal })).data,
  })
}

export function cyclesQuery(id: string) {
  return queryOptions({
    queryKey: [...subscriptionsKey, "one", id, "cycles"],
    queryFn: async ({ signal }) =>
      (await call(heads.listCycles, { params: { id }, query: { limit: "100" }, signal })).data.cycles,
  })
}

/** Whether this seller may use Pix Automático. */
export const automaticQuery = queryOptions({
  queryKey: [...subscriptionsKey, "automatic"],
  queryFn: async ({ signal }) =>
    (await call(heads.listSubscriptions, { query: { limit: "1" }, signal })).data.automaticPix,
})

/** All of them: a seller has a few. */
export function plansQuery() {
  return queryOptions({
    queryKey: [...subscriptionsKey, "plans"],
    queryFn: async ({ signal }) => (await call(heads.listPlans, { query: { limit: "200" }, signal })).data.plans,
  })
}

/** Those that something can be done about; else the newest, until its charge is paid. Cycles come newest first. */
export function debitsToShow(cycles: readonly CycleView[]): OwnDebitView[] {
  const debits = cycles.flatMap(({ debit }) => debit ?? [])
  const actionable = debits.filter(
    ({ retryDates, cancellableUntil }) => retryDates.length > 0 || cancellableUntil !== null,
  )
  if (actionable.length > 0) return actionable
  const newest = cycles.find(({ debit }) => debit !== null)
  return newest?.debit && newest.debit.status !== "paid" && newest.invoice.status === "open" ? [newest.debit] : []
}

/** 'R$ 49,90 por mês' */
export function priceText({ amount, period }: Pick<SubscriptionView, "amount" | "period">): string {
  return `${formatReais(amount)} ${perPeriod[period]}`
}
