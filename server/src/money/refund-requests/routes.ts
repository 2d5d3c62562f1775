import {
  askForRefundEndpoint,
  confirmRefundRequestEndpoint,
  declineRefundRequestEndpoint,
  listRefundRequestsEndpoint,
  type RefundRequestView,
} from "@tilinta/contract/refund-requests"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import { toRefundView } from "#money/refunds/routes"
import { proofOf } from "#people/second-factors/guard"
import { actorOf, sellerOf } from "#people/sessions/caller"
import { askForRefund, confirmRefundRequest, declineRefundRequest } from "./decide.ts"
import { listWaitingRequests } from "./reads.ts"
import { type RefundRequest, stateOf } from "./rules.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

export function refundRequestRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, askForRefundEndpoint, async ({ params, body, request }) => {
    const input = { chargeId: params.id, actor: actorOf(request), reason: body.reason }
    return { refundRequest: toRequestView(await askForRefund(deps, input)) }
  })

  serveEndpoint(app, listRefundRequestsEndpoint, async ({ request }) => ({
    refundRequests: (await listWaitingRequests(deps.db, sellerOf(request).id)).map(toRequestView),
  }))

  serveEndpoint(app, confirmRefundRequestEndpoint, async ({ params, request }) => {
    const decision = { chargeId: params.id, requestId: params.requestId, actor: actorOf(request) }
    const { refund, askedBy } = await confirmRefundRequest(deps, { ...decision, proof: proofOf(request, deps) })
    return { refund: { ...toRefundView(refund), askedBy } }
  })

  serveEndpoint(app, declineRefundRequestEndpoint, async ({ params, request }) => {
    const decision = { chargeId: params.id, requestId: params.requestId, actor: actorOf(request) }
    return { refundRequest: toRequestView(await declineRefundRequest(deps, decision)) }
  })
}

function toRequestView(request: RefundRequest): RefundRequestView {
  const { id, chargeId, leftCents, description, soldBy, reason, askedBy, askedAt, decidedBy } = request
  return {
    _id: id,
    transaction: { _id: chargeId, amount: reaisFromCents(leftCents), description, soldBy },
    reason,
    status: stateOf(request),
    askedBy,
    askedAt: askedAt.toISOString(),
    decidedBy,
  }
}
