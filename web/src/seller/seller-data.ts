import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { detailOf, isWorthRetrying } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { chargePagesKey } from "./charge-page-parts/charge-pages-data.ts"
import { balanceKey } from "./dashboard/dashboard-data.ts"
import { salesKey } from "./sales-chart/sales-figures.ts"
import { transactionsKey } from "./transactions/transactions-data.ts"

/** Cache key of everything that a change of one invoice makes stale. */
export const invoicesKey = ["seller", "invoices"] as const
export const customersKey = ["seller", "customers"] as const
/** Cache key of everything that a change of one subscription or plan makes stale. */
export const subscriptionsKey = ["seller", "subscriptions"] as const

/** Cache keys of everything on a seller's screens that a movement of money makes stale, except a page being edited. */
export const moneyKeys = [
  transactionsKey,
  balanceKey,
  salesKey,
  invoicesKey,
  customersKey,
  subscriptionsKey,
  [...chargePagesKey, "recent"],
  [...chargePagesKey, "list"],
] as const

/** A request whose outcome is unknown may be sent again: its idempotency key prevents a second one. */
export function safeRetryHint(error: unknown): string | undefined {
  if (!isWorthRetrying(error)) return undefined
  const again = "Pode tentar de novo: o mesmo pedido nunca é feito duas vezes."
  const detail = detailOf(error)
  return detail === undefined ? again : `${detail} ${again}`
}

export const destinationsQuery = queryOptions({
  queryKey: ["seller", "withdrawals", "destinations"],
  queryFn: async ({ signal }) => (await call(heads.listDestinations, { signal })).data,
})

export async function removeDestination(id: string): Promise<void> {
  await call(heads.removeDestination, { params: { id } })
}
