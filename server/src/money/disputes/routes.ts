import {
  adminDefendDisputeEndpoint,
  type DisputesSummary,
  debitDisputeEndpoint,
  defendDisputeEndpoint,
  getDisputeEndpoint,
  listAllDisputesEndpoint,
  listDisputesEndpoint,
  listPaymentDisputesEndpoint,
  listTransactionDisputesEndpoint,
  registerDisputeEndpoint,
  releaseDisputeEndpoint,
} from "@tilinta/contract/disputes"
import type { DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import { addCents, centsFromReais, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import { pendingWriter } from "#people/second-approvals/routes"
import { actorOf, adminOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import type { NameUsers } from "#people/users/user-names"
import type { AccessNotes } from "#platform/audit/access-notes"
import { noteList } from "#platform/audit/routes"
import type { Psp } from "#psp/psp"
import { defendDispute } from "./defend.ts"
import { getDispute, listDisputes, listDisputesOfCharge, listSellersDisputes } from "./list.ts"
import { closeDispute, disputeReporterOf, registerDispute } from "./register.ts"
import { toAdminDisputeView, toDisputeDetails, toDisputeView } from "./views.ts"

export function disputeRoutes(app: FastifyInstance, deps: { db: Db; psp: Psp; clock: Clock }): void {
  const now = () => deps.clock.now()

  serveEndpoint(app, listDisputesEndpoint, async ({ request }) => {
    const { disputes, blockedCents } = await listSellersDisputes(deps.db, sellerOf(request).id)
    return {
      disputes: disputes.map((dispute) => toDisputeView(dispute, now())),
      summary: { count: disputes.length, blocked: reaisFromCents(blockedCents) },
    }
  })

  serveEndpoint(app, listTransactionDisputesEndpoint, async ({ params, request }) => {
    const disputes = await listDisputesOfCharge(deps.db, params.id, sellerOf(request).id)
    return { disputes: disputes.map((dispute) => toDisputeView(dispute, now())) }
  })

  serveEndpoint(app, defendDisputeEndpoint, async ({ params, body, request }) => {
    const actor = actorOf(request)
    const { id } = await defendDispute(deps, { disputeId: params.id, actor, origin: "seller", text: body.text })
    return { dispute: toDisputeView(await getDispute(deps.db, id), now()) }
  })
}

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  nameUsers: NameUsers
  protection: Protection
  accessNotes: AccessNotes
}

export function adminDisputeRoutes(app: FastifyInstance, deps: Deps): void {
  const detailsOf = async (id: string) => ({
    dispute: toDisputeDetails(await getDispute(deps.db, id), deps.clock.now()),
  })

  serveEndpoint(app, listAllDisputesEndpoint, async ({ query, request }) => {
    const { status, reason, search, page, limit } = query
    const range = { limit, offset: (page - 1) * limit }
    const { disputes, totals } = await listDisputes(deps.db, { status, reason, search }, range)
    const summary = toSummaryView(totals)
    noteList(deps.accessNotes, request, { list: "disputes", query, results: summary.count })
    const shown = disputes.map((dispute) => toAdminDisputeView(dispute, deps.clock.now()))
    const data = { disputes: shown, summary, toldByBank: disputeReporterOf(deps.psp) !== null }
    return { results: summary.count, data }
  })

  serveEndpoint(app, getDisputeEndpoint, async ({ params }) => detailsOf(params.id))

  serveEndpoint(app, listPaymentDisputesEndpoint, async ({ params }) => {
    const disputes = await listDisputesOfCharge(deps.db, params.id, null)
    return { disputes: disputes.map((dispute) => toAdminDisputeView(dispute, deps.clock.now())) }
  })

  serveEndpoint(app, registerDisputeEndpoint, async ({ body, request }) => {
    const { endToEndId, amount, reason, respondUntil, adminNotes } = body
    const { id } = await registerDispute(deps, {
      endToEndId,
      admin: adminOf(request),
      amountCents: amount === null || amount === undefined ? null : centsFromReais(amount),
      reason,
      respondUntil: respondUntil ? new Date(respondUntil) : null,
      adminNotes: adminNotes ?? "",
      idempotencyKey: idempotencyKeyOf(request),
    })
    return detailsOf(id)
  })

  closingRoutes(app, deps, detailsOf)
}

const halfText = "Anotado. A contestação é encerrada quando outro administrador aprovar o mesmo."

type Details = (id: string) => Promise<{ dispute: ReturnType<typeof toDisputeDetails> }>

function closingRoutes(app: FastifyInstance, deps: Deps, detailsOf: Details): void {
  const pendingOf = pendingWriter(deps.nameUsers)
  const close = async (message: string, closing: Parameters<typeof closeDispute>[1]) => {
    const { waits } = await closeDispute(deps, closing)
    const data = { ...(await detailsOf(closing.id)), ...(await pendingOf(waits)) }
    return { message: waits === null ? message : halfText, data }
  }

  serveEndpoint(app, releaseDisputeEndpoint, async ({ params, body, request }) => {
    const message = "Contestação encerrada. O valor voltou ao saldo do vendedor."
    return close(message, { id: params.id, admin: adminOf(request), outcome: "release", ...body })
  })

  serveEndpoint(app, debitDisputeEndpoint, async ({ params, body, request }) => {
    const message = "Contestação encerrada. O débito do banco foi registrado."
    return close(message, { id: params.id, admin: adminOf(request), outcome: "debit", ...body })
  })

  serveEndpoint(app, adminDefendDisputeEndpoint, async ({ params, body, request }) => {
    const defence = { disputeId: params.id, actor: adminOf(request), origin: "admin", text: body.text } as const
    await defendDispute(deps, defence)
    return { message: "Defesa registrada.", data: await detailsOf(params.id) }
  })
}

function toSummaryView(totals: Awaited<ReturnType<typeof listDisputes>>["totals"]): DisputesSummary {
  const of = (state: DisputeState) => {
    const total = totals.find((each) => each.state === state)
    return { count: total?.count ?? 0, amount: reaisFromCents(total?.amountCents ?? noMoney) }
  }
  const sumOf = (pick: "amountCents" | "blockedCents") =>
    reaisFromCents(totals.reduce((sum, total) => addCents(sum, total[pick]), noMoney))
  return {
    count: totals.reduce((sum, { count }) => sum + count, 0),
    totalAmount: sumOf("amountCents"),
    totalBlocked: sumOf("blockedCents"),
    open: of("open"),
    defended: of("defended"),
    accepted: of("accepted"),
    rejected: of("rejected"),
    cancelled: of("cancelled"),
  }
}
