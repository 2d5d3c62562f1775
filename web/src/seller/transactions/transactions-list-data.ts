import type { SellerStatusFilter } from "@tilinta/contract/vocabulary/transaction-status"
import { call } from "#api/client.ts"
import { listQuery } from "#api/list-query.ts"
import type { DayRange } from "#format/period.ts"
import { listTransactions, transactionsKey } from "./transactions-data.ts"

export const pageSize = 10

interface TransactionsFilter extends Partial<DayRange> {
  status: SellerStatusFilter | undefined
  search: string | undefined
}

export function transactionsQuery(page: number, filter: TransactionsFilter) {
  return listQuery({
    key: transactionsKey,
    page,
    filter,
    ask: (part, signal) => call(listTransactions, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.transactions,
  })
}
