import { reportPageEndpoint } from "@tilinta/contract/api/page-reports-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { reportPage } from "#domain/selling/page-reports/report-page"
import { serveEndpoint } from "#http/serve-endpoint"
import { networkOf } from "#kit/client-network"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { ReportLimits } from "./report-limits.ts"
import { isStorableLink } from "./storable-link.ts"

interface Deps {
  db: Db
  clock: Clock
  reportLimits: ReportLimits
}

export function pageReportingRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, reportPageEndpoint, async ({ params: { link }, body: { reason }, request }) => {
    if (!isStorableLink(link)) throw new DomainError("public_charge_page_not_found")
    const network = networkOf(request.ip)
    deps.reportLimits.take(network, link)
    await reportPage(deps, { link, reason, network })
    return { message: "Recebemos a sua denúncia. Uma pessoa vai olhar esta página." }
  })
}
