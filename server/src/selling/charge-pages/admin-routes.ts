import {
  type AdminChargePageView,
  getAnyChargePageEndpoint,
  listAllChargePagesEndpoint,
} from "@tilinta/contract/admin-charge-pages"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { newestThousandIfBare, rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { getAnyChargePage, listAllChargePages } from "./list-reads.ts"
import { toChargePageView } from "./views.ts"

export function adminChargePageRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listAllChargePagesEndpoint, async ({ query, request }) => {
    const range = rangeOf(newestThousandIfBare(request.url, query))
    const { pages, counts } = await listAllChargePages(deps, query, range)
    const count = [...counts.values()].reduce((sum, each) => sum + each, 0)
    return {
      results: count,
      data: {
        checkouts: pages.map(toAdminChargePageView),
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

  serveEndpoint(app, getAnyChargePageEndpoint, async ({ params }) => {
    return { checkoutPage: toAdminChargePageView(await getAnyChargePage(deps, params.id)) }
  })
}

type PageOfSeller = Awaited<ReturnType<typeof getAnyChargePage>>

function toAdminChargePageView({ seller, ...page }: PageOfSeller): AdminChargePageView {
  return { ...toChargePageView(page), user: { _id: seller.id, name: seller.name, email: seller.email } }
}
