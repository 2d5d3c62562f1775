import { queryOptions } from "@tanstack/react-query"
import type { listAllChargePagesEndpoint } from "@tilinta/contract/api/admin-charge-pages-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import type { AllChargePagesSearch } from "./all-charge-pages-search.ts"

const listAllChargePages = leanEndpoint<typeof listAllChargePagesEndpoint>("GET", "/api/v1/admin/checkout-pages")
export const pageSize = 100

export function allChargePagesQuery({ page = 1, status, search }: AllChargePagesSearch) {
  return queryOptions({
    queryKey: ["admin", "charge-pages", page, status, search],
    queryFn: ({ signal }) =>
      call(listAllChargePages, { query: { page: String(page), limit: String(pageSize), status, search }, signal }),
  })
}
