import {
  getPaymentProofEndpoint,
  getPaymentStatusEndpoint,
  type PaymentProofView,
  processPixPaymentEndpoint,
} from "@tilinta/contract/api/payments-endpoints"
import type { FastifyInstance } from "fastify"
import { type CreateChargeDeps, createCharge } from "#domain/charges/create-charge"
import { getPaymentStatus } from "#domain/charges/find-charge"
import { getPaymentProof, type PaymentProof } from "#domain/charges/find-payment-proof"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { reaisFromCents } from "#kit/money"
import { toPixPaymentView } from "./pix-payment-view.ts"

export function paymentRoutes(app: FastifyInstance, deps: CreateChargeDeps): void {
  serveEndpoint(app, processPixPaymentEndpoint, async ({ body, request }) => {
    const charge = await createCharge(deps, {
      pageId: body.checkoutPageId,
      customerInfo: body.customerInfo ?? null,
      idempotencyKey: idempotencyKeyOf(request),
    })
    return toPixPaymentView(charge, deps.clock.now())
  })

  serveEndpoint(app, getPaymentStatusEndpoint, async ({ params }) => {
    return { status: await getPaymentStatus(deps, params.transactionId) }
  })

  serveEndpoint(app, getPaymentProofEndpoint, async ({ params }) => {
    return { proof: toProofView(await getPaymentProof(deps, params.transactionId)) }
  })
}

function toProofView({ id, amountCents, date, refundedCents, refunds, ...proof }: PaymentProof): PaymentProofView {
  return {
    ...proof,
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
