import { adminListRefundsEndpoint, adminRefundTransactionEndpoint } from "@tilinta/contract/api/refunds-endpoints"
import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { listRefunds } from "#domain/money/refunds/list-refunds"
import { requestRefundAsAdmin } from "#domain/money/refunds/request-refund-as-admin"
import type { NameUsers } from "#domain/people/users/user-names"
import { getCharge } from "#domain/selling/charges/get-charge"
import { pendingWriter } from "#http/approval-view"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { toAdminRefundView, toKnownRefundsView, toRefundView } from "#http/refund-view"
import { serveEndpoint } from "#http/serve-endpoint"
import { proofOf } from "#http/step-up-guard"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { describeRefunds } from "#money/withdrawals/hand-settlements"
import { adminOf } from "./require-admin.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
  nameUsers: NameUsers
}

export function adminRefundRoutes(app: FastifyInstance, deps: Deps): void {
  const pendingOf = pendingWriter(deps.nameUsers)
  serveEndpoint(app, adminRefundTransactionEndpoint, async ({ params, body, request }) => {
    const { refund, waits } = await requestRefundAsAdmin(deps, {
      chargeId: params.id,
      actor: adminOf(request),
      amountCents: body.amount === null ? null : centsFromReais(body.amount),
      reason: body.reason,
      proof: proofOf(request, deps),
      idempotencyKey: idempotencyKeyOf(request),
    })
    return { refund: toRefundView(refund), ...(await pendingOf(waits)) }
  })

  serveEndpoint(app, adminListRefundsEndpoint, async ({ params }) => {
    const known = await listRefunds(deps, await getCharge(deps.db, params.id), "admin")
    const refunds = await describeRefunds(deps, known.refunds)
    return { ...toKnownRefundsView(known), refunds: refunds.map(toAdminRefundView) }
  })
}
