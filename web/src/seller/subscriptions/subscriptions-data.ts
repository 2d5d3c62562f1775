import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { SubscriptionView } from "@tilinta/contract/subscriptions"
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
      (await call(heads.listCycles, { params: { id }, query: { limit: "24" }, signal })).data.cycles,
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

/** 'R$ 49,90 por mês' */
export function priceText({ amount, period }: Pick<SubscriptionView, "amount" | "period">): string {
  return `${formatReais(amount)} ${perPeriod[period]}`
}
