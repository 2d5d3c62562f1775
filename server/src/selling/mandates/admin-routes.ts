import { cancelAnyMandateEndpoint, listAllMandatesEndpoint, setAutomaticPixEndpoint } from "@tilinta/contract/mandates"
import { debitFailureOf } from "@tilinta/contract/vocabulary/mandates"
import type { FastifyInstance } from "fastify"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { secondsAfter } from "#kit/clock"
import { pendingWriter } from "#people/second-approvals/routes"
import { adminOf } from "#people/sessions/caller"
import { missingForAutomatic } from "#platform/settings/reads"
import type { HttpDeps } from "#start/deps"
import { setAutomaticPix } from "./allow.ts"
import { cancelAnyMandate } from "./manage.ts"
import { isAutomaticOn, listMandates, readAutomaticFigures } from "./reads.ts"
import { toAnyMandateView, toMandateView } from "./views.ts"

const FAILURES_DAYS = 90

export function adminMandateRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { db, psp, clock, payersUrl } = deps
  const pendingOf = pendingWriter(deps.nameUsers)

  serveEndpoint(app, listAllMandatesEndpoint, async ({ query }) => {
    const now = clock.now()
    const [{ mandates, results }, figures, isOn, missing] = await Promise.all([
      listMandates(db, { status: query.status, sellerId: query.userId }, rangeOf(query)),
      readAutomaticFigures(db, secondsAfter(now, -FAILURES_DAYS * 86_400), secondsAfter(now, -86_400)),
      isAutomaticOn(db, psp),
      missingForAutomatic(db, psp.automatic !== null),
    ])
    const { sellers, failures, unanswered } = figures
    const summary = {
      isOn,
      missing,
      sellers: sellers.map((each) => ({ ...each, enabledAt: each.enabledAt.toISOString() })),
      failures: failures.map(({ code, count }) => ({ code, count, text: debitFailureOf(code || null).text })),
      unanswered: unanswered.map(({ sellerName, dueDay, createdAt, ...each }) => ({
        ...each,
        user: sellerName,
        dueDate: dueDay,
        createdAt: createdAt.toISOString(),
      })),
    }
    return { results, data: { mandates: mandates.map((mandate) => toAnyMandateView(mandate, payersUrl)), summary } }
  })

  serveEndpoint(app, cancelAnyMandateEndpoint, async ({ params, body, request }) => {
    const mandate = await cancelAnyMandate(deps, { id: params.id, admin: adminOf(request), reason: body.reason })
    return { mandate: toMandateView(mandate, payersUrl) }
  })

  serveEndpoint(app, setAutomaticPixEndpoint, async ({ params, body, request }) => {
    const { enabled, waits } = await setAutomaticPix(deps, { id: params.id, admin: adminOf(request), ...body })
    return { enabled, ...(await pendingOf(waits)) }
  })
}
