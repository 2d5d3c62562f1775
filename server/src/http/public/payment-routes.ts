import {
  getPaymentProofEndpoint,
  getPaymentStatusEndpoint,
  type PaymentProofView,
  type PixPaymentView,
  processPixPaymentEndpoint,
} from "@tilinta/contract/api/payments-endpoints"
import { payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance } from "fastify"
import { chargeStatusAt } from "#domain/charges/charge"
import { receiverNameOf } from "#domain/charges/check-pix-code"
import { type CreateChargeDeps, createCharge, type OpenCharge } from "#domain/charges/create-charge"
import { getPaymentStatus } from "#domain/charges/find-charge"
import { getPaymentProof, type PaymentProof } from "#domain/charges/find-payment-proof"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { reaisFromCents } from "#kit/money"
import { qrPng } from "./qr-png.ts"

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

function toPixPaymentView(charge: OpenCharge, now: Date): PixPaymentView {
  const status = chargeStatusAt(charge, now)
  return {
    transactionId: charge.id,
    pixQrCodeBase64: qrPng(charge.pixCode).toString("base64"),
    pixCode: charge.pixCode,
    amount: reaisFromCents(charge.amountCents),
    status: status === "creating" ? payerStatusOf.pending : payerStatusOf[status],
    expiresAt: charge.expiresAt.toISOString(),
    serverTime: now.toISOString(),
    receiverName: receiverNameOf(charge.pixCode),
  }
}
