import {
  getPaymentProofEndpoint,
  getPaymentStatusEndpoint,
  type PaymentProofView,
  processPixPaymentEndpoint,
} from "@tilinta/contract/api/payments-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { type PayerStatus, payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { FastifyInstance } from "fastify"
import { getPaymentProof, type PaymentProof } from "#domain/overviews/payment-proof/find-payment-proof"
import { type CreateChargeDeps, createCharge } from "#domain/selling/charges/create-charge"
import { getPaymentStatus } from "#domain/selling/charges/find-charge"
import { clientAddress } from "#http/client-address"
import type { HttpDeps } from "#http/deps"
import type { FastPath } from "#http/fast-path"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { replyTextOf, serveEndpoint } from "#http/serve-endpoint"
import type { IsTrusted } from "#http/trusted-peers"
import type { ChargeLimits } from "./charge-limits.ts"
import { checkoutPath } from "./checkout-path.ts"
import type { CallerLimits } from "./limit-callers.ts"
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
    return { status: await statusForPayer(deps, params.transactionId, query.k) }
  })

  serveEndpoint(app, getPaymentProofEndpoint, async ({ params: { transactionId }, query }) => {
    requirePayer(payerTokens, transactionId, query.k)
    return { proof: toProofView(await getPaymentProof(deps, transactionId), payerTokens.of(transactionId)) }
  })
}

type StatusDeps = Pick<HttpDeps, "paymentStatuses" | "payerTokens" | "clock">

/** Any other address than that of the checkout's own poll is the route's. */
export function paymentStatusFastPath(
  deps: StatusDeps & { callerLimits: CallerLimits; isTrustedPeer: IsTrusted },
): FastPath {
  const endpoint = getPaymentStatusEndpoint
  const folder = endpoint.path.replace(":transactionId", "")
  const textOf = new Map(Object.values(payerStatusOf).map((status) => [status, replyTextOf(endpoint, { status })]))
  return {
    route: endpoint.path,
    accept(request) {
      const { url = "" } = request
      const [, id, token] = url.startsWith(folder) ? (plainPoll.exec(url.slice(folder.length)) ?? []) : []
      const ip = id === undefined ? undefined : clientAddress(request, deps.isTrustedPeer)
      if (id === undefined || ip === undefined) return null
      return async () => {
        const refusal = deps.callerLimits(ip, id)
        if (refusal !== undefined) throw refusal
        return textOf.get(await statusForPayer(deps, id, token)) ?? ""
      }
    },
  }
}

const plainPoll = /^([0-9a-f-]{36})(?:\?k=([\w-]{22}))?$/

async function statusForPayer(deps: StatusDeps, transactionId: string, token: unknown): Promise<PayerStatus> {
  requirePayer(deps.payerTokens, transactionId, token)
  return getPaymentStatus(deps, transactionId)
}

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
