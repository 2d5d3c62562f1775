import { queryOptions } from "@tanstack/react-query"
import type {
  getAnyChargePageEndpoint,
  listAllChargePagesEndpoint,
} from "@tilinta/contract/api/admin-charge-pages-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listQuery } from "#api/list-query.ts"
import type { AllChargePagesSearch } from "./all-charge-pages-search.ts"

const listAllChargePages = leanEndpoint<typeof listAllChargePagesEndpoint>("GET", "/api/v1/admin/checkout-pages")
const getAnyChargePage = leanEndpoint<typeof getAnyChargePageEndpoint>("GET", "/api/v1/admin/checkout-pages/:id")
export const pageSize = 100

export function allChargePagesQuery({ page = 1, status, search }: AllChargePagesSearch) {
  const filter = { status, search }
  return listQuery({
    key: ["admin", "charge-pages"],
    page,
    filter,
    ask: (part, signal) => call(listAllChargePages, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.checkouts,
  })
}

export function chargePageQuery(id: string) {
  return queryOptions({
    queryKey: ["admin", "charge-pages", "one", id],
    queryFn: async ({ signal }) => (await call(getAnyChargePage, { params: { id }, signal })).data.checkoutPage,
  })
}
