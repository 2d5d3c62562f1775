import {
  getPaymentProofEndpoint,
  getPaymentStatusEndpoint,
  type PaymentProofView,
  processPixPaymentEndpoint,
} from "@tilinta/contract/api/payments-endpoints"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance } from "fastify"
import { getPaymentProof, type PaymentProof } from "#domain/overviews/payment-proof/find-payment-proof"
import { type CreateChargeDeps, createCharge } from "#domain/selling/charges/create-charge"
import { getPaymentStatus } from "#domain/selling/charges/find-charge"
import type { HttpDeps } from "#http/deps"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { reaisFromCents } from "#kit/money"
import type { ChargeLimits } from "./charge-limits.ts"
import { checkoutPath } from "./checkout-path.ts"
import { requirePayer } from "./payer-token.ts"
import { toPixPaymentView } from "./pix-payment-view.ts"
import { paymentPath } from "./plain-payment.ts"

type Deps = CreateChargeDeps &
  Pick<HttpDeps, "db" | "paymentStatuses" | "payerTokens" | "secretKeys"> & { chargeLimits: ChargeLimits }

export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  const { payerTokens } = deps
  serveEndpoint(app, processPixPaymentEndpoint, async ({ body, request }) => {
    const charge = await createCharge(deps, {
      pageId: body.checkoutPageId,
      customerInfo: body.customerInfo ?? null,
      idempotencyKey: idempotencyKeyOf(request),
      ...deps.chargeLimits.of(request.ip, body.checkoutPageId),
    })
    return toPixPaymentView(charge, payerTokens.of(charge.id), deps.clock.now())
  })

  serveEndpoint(app, getPaymentStatusEndpoint, async ({ params, query }) => {
    requirePayer(payerTokens, params.transactionId, query.k)
    return answerFor[await getPaymentStatus(deps, params.transactionId)]
  })

  serveEndpoint(app, getPaymentProofEndpoint, async ({ params: { transactionId }, query }) => {
    requirePayer(payerTokens, transactionId, query.k)
    return { proof: toProofView(await getPaymentProof(deps, transactionId), payerTokens.of(transactionId)) }
  })
}

/** Payers poll every three seconds, so each of the few answers is created once. */
const answerFor = {
  pendente: Object.freeze({ status: "pendente" }),
  pago: Object.freeze({ status: "pago" }),
  expirado: Object.freeze({ status: "expirado" }),
  cancelado: Object.freeze({ status: "cancelado" }),
} as const satisfies { [Status in PayerStatus]: { status: Status } }

function toProofView(
  { id, amountCents, date, chargePage, refundedCents, refunds, ...proof }: PaymentProof,
  payerToken: string,
): PaymentProofView {
  const pathOf = ({ uniqueLink, isVisible }: NonNullable<PaymentProof["chargePage"]>) =>
    isVisible ? checkoutPath(uniqueLink) : paymentPath(uniqueLink, id, payerToken)
  return {
    ...proof,
    chargePath: chargePage && pathOf(chargePage),
    transactionId: id,
    amount: reaisFromCents(amountCents),
    date: date.toISOString(),
    paymentMethod: "pix",
    refundedAmount: reaisFromCents(refundedCents),
    refunds: refunds.map((refund) => ({
      amount: reaisFromCents(refund.amountCents),
      date: refund.returnedAt.toISOString(),
      returnId: refund.returnId,
    })),
  }
}
