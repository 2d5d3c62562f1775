import {
  adminDefendDisputeEndpoint,
  type DisputesSummary,
  debitDisputeEndpoint,
  getDisputeEndpoint,
  listAllDisputesEndpoint,
  listPaymentDisputesEndpoint,
  registerDisputeEndpoint,
  releaseDisputeEndpoint,
} from "@tilinta/contract/api/disputes-endpoints"
import type { DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import { addCents, centsFromReais, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { closeDispute } from "#domain/money/disputes/close-dispute"
import { defendDispute } from "#domain/money/disputes/defend-dispute"
import { getDispute } from "#domain/money/disputes/get-dispute"
import { listDisputes, listDisputesOfCharge } from "#domain/money/disputes/list-disputes"
import { disputeReporterOf, registerDispute } from "#domain/money/disputes/register-dispute"
import type { NameUsers } from "#domain/people/users/user-names"
import type { AccessNotes } from "#domain/platform/audit/access-notes"
import { pendingWriter } from "#http/approval-view"
import { toAdminDisputeView, toDisputeDetails } from "#http/dispute-view"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/protection"
import type { Psp } from "#psp/psp"
import { noteList } from "./note-list.ts"
import { adminOf } from "./require-admin.ts"

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
    const toldByBank = disputeReporterOf(deps.psp) !== null
    return { results: summary.count, data: { disputes: shown, summary, toldByBank } }
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
