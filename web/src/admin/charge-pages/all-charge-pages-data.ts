import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"

export const pageSize = 100

interface ChargePagesFilter {
  status: ChargePageStatus | undefined
  search: string | undefined
}

export function allChargePagesQuery(page: number, filter: ChargePagesFilter) {
  return listQuery({
    key: ["admin", "charge-pages"],
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listAllChargePages, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.checkouts,
  })
}

export function chargePageQuery(id: string) {
  return queryOptions({
    queryKey: ["admin", "charge-pages", "one", id],
    queryFn: async ({ signal }) => (await call(heads.getAnyChargePage, { params: { id }, signal })).data.checkoutPage,
  })
}
