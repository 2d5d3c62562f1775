import { DEFAULT_EXPIRY_HOURS } from "@tilinta/contract/api/charge-pages-endpoints"
import { type ChargeView, createChargeEndpoint } from "@tilinta/contract/api/charges-endpoints"
import { centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { listedStatusOf, sellerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance } from "fastify"
import { chargeStatusAt } from "#domain/selling/charges/charge"
import { createSingleCharge, type SingleCharge } from "#domain/selling/charges/create-single-charge"
import type { HttpDeps } from "#http/deps"
import { idempotencyKeyOf } from "#http/idempotency-key"
import type { ChargeLimits } from "#http/public/charge-limits"
import { qrPath } from "#http/public/pix-qr"
import { paymentPath } from "#http/public/plain-payment"
import { orderFrom } from "#http/sent-order"
import { serveEndpoint } from "#http/serve-endpoint"
import { programOf, sellerOf } from "./session-of.ts"

type Deps = Pick<
  HttpDeps,
  "db" | "chargeSteps" | "psp" | "clock" | "protection" | "payerTokens" | "log" | "publicUrl" | "payersUrl"
> & {
  chargeLimits: ChargeLimits
}

export function singleChargeRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, createChargeEndpoint, async ({ body, request }) => {
    const { id: sellerId } = sellerOf(request)
    const single = await createSingleCharge(deps, {
      sellerId,
      description: body.description,
      amountCents: centsFromReais(body.amount),
      order: orderFrom(body),
      expiresInHours: body.expiresInHours ?? DEFAULT_EXPIRY_HOURS,
      expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
      payer: body.payer ?? {},
      idempotencyKey: idempotencyKeyOf(request),
      program: programOf(request),
      refuseNew: deps.chargeLimits.ofSeller(sellerId),
    })
    return { charge: toChargeView(single, deps) }
  })
}

function toChargeView(
  { charge, uniqueLink, order }: SingleCharge,
  { publicUrl, payersUrl, clock, payerTokens }: Deps,
): ChargeView {
  const payerToken = payerTokens.of(charge.id)
  return {
    _id: charge.id,
    ...order,
    amount: reaisFromCents(charge.amountCents),
    description: charge.description,
    status: sellerStatusOf[listedStatusOf(chargeStatusAt(charge, clock.now()))],
    pixCode: charge.pixCode,
    payerToken,
    imageUrl: publicUrl + qrPath(charge.id, payerToken),
    statusUrl: `${publicUrl}/api/v1/checkout/payment-status/${charge.id}?k=${payerToken}`,
    checkoutUrl: payersUrl + paymentPath(uniqueLink, charge.id, payerToken),
    expiresAt: charge.expiresAt.toISOString(),
    createdAt: charge.createdAt.toISOString(),
    checkoutPage: { _id: charge.pageId, title: charge.pageTitle },
  }
}
