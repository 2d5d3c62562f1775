import { chargePagesKey } from "./charge-page-parts/charge-pages-data.ts"
import { balanceKey } from "./dashboard/dashboard-data.ts"
import { salesKey } from "./sales-chart/sales-data.ts"
import { transactionsKey } from "./transactions/transactions-data.ts"

/** Cache keys of everything on a seller's screens that a movement of money makes stale, except a page being edited. */
export const moneyKeys = [
  transactionsKey,
  balanceKey,
  salesKey,
  [...chargePagesKey, "recent"],
  [...chargePagesKey, "list"],
] as const
