import { queryOptions } from "@tanstack/react-query"
import type {
  ChargePageView,
  cancelChargePageEndpoint,
  getChargePageEndpoint,
  listChargePagesEndpoint,
  PublicChargePageView,
} from "@tilinta/contract/api/charge-pages-endpoints"
import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import { ApiError } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listQuery } from "#api/list-query.ts"
import type { DayRange } from "#format/period.ts"

const listPages = leanEndpoint<typeof listChargePagesEndpoint>("GET", "/api/v1/checkout/pages")
const getPage = leanEndpoint<typeof getChargePageEndpoint>("GET", "/api/v1/checkout/pages/:id")
const cancelPage = leanEndpoint<typeof cancelChargePageEndpoint>("PATCH", "/api/v1/checkout/pages/:id/cancel")

/** Everything that a change of one page makes stale. */
export const chargePagesKey = ["seller", "charge-pages"] as const
export const pageSize = 10

/** As the dashboard asks: without a query, the newest ten and the totals. */
export const recentChargePagesQuery = queryOptions({
  queryKey: [...chargePagesKey, "recent"],
  queryFn: ({ signal }) => call(listPages, { signal }),
})

export interface ChargePagesFilter extends Partial<DayRange> {
  page: number
  status: ChargePageStatus | undefined
  search: string | undefined
}

export function chargePagesQuery({ page, ...filter }: ChargePagesFilter) {
  return listQuery({
    key: chargePagesKey,
    page,
    filter,
    ask: (part, signal) => call(listPages, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.checkoutPages,
  })
}

export function chargePageQuery(id: string) {
  return queryOptions({
    queryKey: [...chargePagesKey, "one", id],
    queryFn: async ({ signal }): Promise<ChargePageView> => {
      const { data } = await call(getPage, { params: { id }, signal })
      if (!isOwnView(data.checkoutPage)) throw new ApiError(404, "charge_page_not_found", "")
      return data.checkoutPage
    },
  })
}

/** The same path answers a public link too, with less. */
function isOwnView(page: ChargePageView | PublicChargePageView): page is ChargePageView {
  return "createdAt" in page
}

export function cancelChargePage(id: string) {
  return call(cancelPage, { params: { id } })
}
