import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { SellerStatusFilter } from "@tilinta/contract/vocabulary/transaction-status"
import { call } from "#api/client.ts"
import { listQuery } from "#api/list-query.ts"
import type { DayRange } from "#format/period.ts"
import { transactionsKey } from "./transactions-data.ts"

export const pageSize = 10

interface TransactionsFilter extends Partial<DayRange> {
  status: SellerStatusFilter | undefined
  search: string | undefined
}

/** Kept totals come with the rows; those of a search are counted apart, and its rows don't wait for them. */
export function transactionsQuery(page: number, filter: TransactionsFilter) {
  const totals = filter.search === undefined ? undefined : "none"
  return listQuery({
    key: transactionsKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listTransactions, { query: { ...part, limit: String(pageSize), totals, ...filter }, signal }),
    rowsOf: ({ data }) => data.transactions,
  })
}

export function searchTotalsQuery(filter: TransactionsFilter) {
  return queryOptions({
    queryKey: [...transactionsKey, "totals", filter],
    enabled: filter.search !== undefined,
    queryFn: async ({ signal }) => {
      const { summary } = (await call(heads.listTransactions, { query: { limit: "1", ...filter }, signal })).data
      if (summary === undefined) throw new Error("an answer without its totals")
      return summary
    },
  })
}
