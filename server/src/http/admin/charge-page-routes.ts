import { listAllChargePagesEndpoint } from "@tilinta/contract/api/admin-charge-pages-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { listAllChargePages } from "#domain/charge-pages/list-all-charge-pages"
import { toChargePageView } from "#http/charge-page-view"
import { newestThousandIfBare, rangeOf } from "#http/list-range"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"

export function adminChargePageRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listAllChargePagesEndpoint, async ({ query, request }) => {
    const range = rangeOf(newestThousandIfBare(request.url, query))
    const { pages, counts } = await listAllChargePages(deps, query, range)
    const count = [...counts.values()].reduce((sum, each) => sum + each, 0)
    return {
      results: count,
      data: {
        checkouts: pages.map((page) => ({
          ...toChargePageView(page),
          user: { _id: page.seller.id, name: page.seller.name, email: page.seller.email },
        })),
        summary: {
          count,
          active: counts.get("active") ?? 0,
          completed: counts.get("completed") ?? 0,
          expired: counts.get("expired") ?? 0,
          cancelled: counts.get("cancelled") ?? 0,
        },
      },
    }
  })
}
