import {
  dismissPageReportEndpoint,
  liftSuspensionEndpoint,
  listPageReportsEndpoint,
  type PageReportView,
  suspendReportedPageEndpoint,
} from "@tilinta/contract/api/page-reports-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { nameIn } from "#domain/people/users/user-names"
import { dismissPageReport, liftSuspension, suspendPage } from "#domain/selling/page-reports/decide-page-report"
import { getPageReport, listPageReports } from "#domain/selling/page-reports/list-page-reports"
import { countedReasons, type ListedPageReport } from "#domain/selling/page-reports/page-report"
import type { HttpDeps } from "#http/deps"
import { serveEndpoint } from "#http/serve-endpoint"
import { adminOf } from "./require-admin.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "nameUsers">

export function pageReportRoutes(app: FastifyInstance, deps: Deps): void {
  const decided = async (id: string, message: string) => {
    const report = await getPageReport(deps, id)
    return { message, data: { report: (await viewer(deps, [report]))(report) } }
  }

  serveEndpoint(app, listPageReportsEndpoint, async ({ query: { status, limit, after } }) => {
    const { reports, next, open } = await listPageReports(deps, { filter: status, limit, after })
    return { reports: reports.map(await viewer(deps, reports)), next, summary: { open } }
  })

  serveEndpoint(app, suspendReportedPageEndpoint, async ({ params: { id }, body: { reason }, request }) => {
    await suspendPage(deps, { id, reason, admin: adminOf(request) })
    return decided(id, "Página suspensa.")
  })

  serveEndpoint(app, dismissPageReportEndpoint, async ({ params: { id }, request }) => {
    await dismissPageReport(deps, { id, admin: adminOf(request) })
    return decided(id, "Denúncia descartada.")
  })

  serveEndpoint(app, liftSuspensionEndpoint, async ({ params: { id }, request }) => {
    await liftSuspension(deps, { id, admin: adminOf(request) })
    return decided(id, "Suspensão retirada.")
  })
}

/** Knows the names of all who decided, read at once. */
async function viewer({ nameUsers }: Deps, reports: readonly ListedPageReport[]) {
  const names = await nameUsers(reports.flatMap(({ decidedBy, liftedBy }) => [decidedBy ?? [], liftedBy ?? []].flat()))
  const personOf = (id: string | null) => (id === null ? null : { _id: id, name: nameIn(names, id).name })
  return (report: ListedPageReport): PageReportView => ({
    _id: report.id,
    status: report.status,
    reasons: countedReasons(report.reasons),
    reportsCount: report.reasons.length,
    dismissedBefore: report.dismissedBefore,
    createdAt: report.createdAt.toISOString(),
    lastReportedAt: report.lastReportedAt.toISOString(),
    checkoutPage: pageViewOf(report),
    user: { _id: report.seller.id, name: report.seller.name, email: report.seller.email },
    suspendedFor: report.suspendedFor,
    decidedBy: personOf(report.decidedBy),
    decidedAt: report.decidedAt?.toISOString() ?? null,
    liftedBy: personOf(report.liftedBy),
    liftedAt: report.liftedAt?.toISOString() ?? null,
  })
}

function pageViewOf({ pageId, page }: ListedPageReport): PageReportView["checkoutPage"] {
  const { amountCents, expiresAt: _, ...facts } = page
  return { _id: pageId, ...facts, amount: reaisFromCents(amountCents) }
}
