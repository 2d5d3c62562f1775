import {
  dismissPageReportEndpoint,
  liftSuspensionEndpoint,
  listPageReportsEndpoint,
  type PageReportView,
  reportPageEndpoint,
  suspendReportedPageEndpoint,
} from "@tilinta/contract/page-reports"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { createTokenBuckets } from "#http/rate-limits"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { networkOf } from "#kit/outside"
import { adminOf } from "#people/sessions/caller"
import { nameIn } from "#people/users/user-names"
import { isStorableLink } from "#selling/charge-pages/views"
import type { HttpDeps } from "#start/deps"
import { dismissPageReport, liftSuspension, suspendPage } from "./decide.ts"
import { countedReasons, getPageReport, listPageReports, reportPage } from "./reports.ts"
import type { ListedPageReport } from "./rules.ts"

type AdminDeps = Pick<HttpDeps, "db" | "clock" | "nameUsers">

export function pageReportRoutes(app: FastifyInstance, deps: AdminDeps): void {
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
async function viewer({ nameUsers }: AdminDeps, reports: readonly ListedPageReport[]) {
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

/** A person reports a page once; an office or a carrier's shared address a few times. */
const perPageAndAddress = { burst: 5, perSecond: 1 / 600, keys: 20_000 }
const perAddress = { burst: 60, perSecond: 1 / 30, keys: 20_000 }
/** However many addresses a script has. */
const perPage = { burst: 100, perSecond: 1 / 10, keys: 20_000 }

export interface ReportLimits {
  /** @throws too_many_requests */
  take(network: string, link: string): void
}

/** Rate limits of reports alone; the API and the page without script share one count. This machine is limited, too. */
export function createReportLimits(clock: Clock): ReportLimits {
  const pagesOfAddresses = createTokenBuckets(perPageAndAddress, clock)
  const addresses = createTokenBuckets(perAddress, clock)
  const pages = createTokenBuckets(perPage, clock)

  return {
    take(network, link) {
      const page = link.slice(0, 200)
      const report = [
        pagesOfAddresses.takeFrom(pagesOfAddresses.of(`${network} ${page}`)),
        addresses.takeFrom(addresses.of(network)),
        pages.takeFrom(pages.of(page)),
      ]
      const retryAfterSeconds = Math.max(...report)
      if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
    },
  }
}
