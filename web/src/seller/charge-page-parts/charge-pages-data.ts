import { queryOptions } from "@tanstack/react-query"
import type {
  ChargePageView,
  cancelChargePageEndpoint,
  getChargePageEndpoint,
  listChargePagesEndpoint,
  PublicChargePageView,
} from "@tilinta/contract/api/charge-pages-endpoints"
import { ApiError } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

export const listPages = leanEndpoint<typeof listChargePagesEndpoint>("GET", "/api/v1/checkout/pages")
const getPage = leanEndpoint<typeof getChargePageEndpoint>("GET", "/api/v1/checkout/pages/:id")
const cancelPage = leanEndpoint<typeof cancelChargePageEndpoint>("PATCH", "/api/v1/checkout/pages/:id/cancel")

/** Cache key of everything that a change of one page makes stale. */
export const chargePagesKey = ["seller", "charge-pages"] as const

/** The dashboard's query: without parameters, the newest ten and the totals. */
export const recentChargePagesQuery = queryOptions({
  queryKey: [...chargePagesKey, "recent"],
  queryFn: ({ signal }) => call(listPages, { signal }),
})

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

/** The same path answers public links too, with fewer fields. */
function isOwnView(page: ChargePageView | PublicChargePageView): page is ChargePageView {
  return "createdAt" in page
}

export function cancelChargePage(id: string) {
  return call(cancelPage, { params: { id } })
}
