import { listRefundsEndpoint, refundTransactionEndpoint } from "@tilinta/contract/api/refunds-endpoints"
import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { listRefunds } from "#domain/money/refunds/list-refunds"
import { requestRefund } from "#domain/money/refunds/request-refund"
import { getSellersCharge } from "#domain/selling/charges/get-charge"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { toKnownRefundsView, toRefundView } from "#http/refund-view"
import { serveEndpoint } from "#http/serve-endpoint"
import { proofOf } from "#http/step-up-guard"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { actorOf, sellerOf } from "./session-of.ts"

export function refundRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; protection: Protection }): void {
  serveEndpoint(app, refundTransactionEndpoint, async ({ params, body, request }) => {
    const refund = await requestRefund(deps, {
      chargeId: params.id,
      actor: actorOf(request),
      origin: "seller",
      amountCents: body.amount === null ? null : centsFromReais(body.amount),
      reason: body.reason,
      proof: proofOf(request, deps),
      idempotencyKey: idempotencyKeyOf(request),
    })
    return { refund: toRefundView(refund) }
  })

  serveEndpoint(app, listRefundsEndpoint, async ({ params, request }) => {
    const charge = await getSellersCharge(deps.db, params.id, sellerOf(request).id)
    return toKnownRefundsView(await listRefunds(deps, charge, "seller"))
  })
}
