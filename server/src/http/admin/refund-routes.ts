import { adminListRefundsEndpoint, adminRefundTransactionEndpoint } from "@tilinta/contract/api/refunds-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { listRefunds } from "#domain/money/refunds/list-refunds"
import { requestRefund } from "#domain/money/refunds/request-refund"
import { getCharge } from "#domain/selling/charges/get-charge"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { toKnownRefundsView, toRefundView } from "#http/refund-view"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { centsFromReais } from "#kit/money"
import { adminOf } from "./require-admin.ts"

export function adminRefundRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, adminRefundTransactionEndpoint, async ({ params, body, request }) => {
    const refund = await requestRefund(deps, {
      chargeId: params.id,
      actor: adminOf(request),
      origin: "admin",
      amountCents: body.amount === null ? null : centsFromReais(body.amount),
      reason: body.reason,
      idempotencyKey: idempotencyKeyOf(request),
    })
    return { refund: toRefundView(refund) }
  })

  serveEndpoint(app, adminListRefundsEndpoint, async ({ params }) => {
    return toKnownRefundsView(await listRefunds(deps, await getCharge(deps.db, params.id), "admin"))
  })
}
