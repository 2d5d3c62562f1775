import { adminListRefundsEndpoint, adminRefundTransactionEndpoint } from "@tilinta/contract/api/refunds-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { describeRefunds } from "#domain/money/hand-settlements/describe-refunds"
import { listRefunds } from "#domain/money/refunds/list-refunds"
import { requestRefund } from "#domain/money/refunds/request-refund"
import type { NameUsers } from "#domain/people/users/user-names"
import { getCharge } from "#domain/selling/charges/get-charge"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { toAdminRefundView, toKnownRefundsView, toRefundView } from "#http/refund-view"
import { serveEndpoint } from "#http/serve-endpoint"
import { proofOf } from "#http/step-up-guard"
import type { Clock } from "#kit/clock"
import { centsFromReais } from "#kit/money"
import type { Protection } from "#kit/protection"
import { adminOf } from "./require-admin.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
  nameUsers: NameUsers
}

export function adminRefundRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, adminRefundTransactionEndpoint, async ({ params, body, request }) => {
    const refund = await requestRefund(deps, {
      chargeId: params.id,
      actor: adminOf(request),
      origin: "admin",
      amountCents: body.amount === null ? null : centsFromReais(body.amount),
      reason: body.reason,
      proof: proofOf(request, deps),
      idempotencyKey: idempotencyKeyOf(request),
    })
    return { refund: toRefundView(refund) }
  })

  serveEndpoint(app, adminListRefundsEndpoint, async ({ params }) => {
    const known = await listRefunds(deps, await getCharge(deps.db, params.id), "admin")
    const refunds = await describeRefunds(deps, known.refunds)
    return { ...toKnownRefundsView(known), refunds: refunds.map(toAdminRefundView) }
  })
}
