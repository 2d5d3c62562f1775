import {
  getPaymentProofEndpoint,
  getPaymentStatusEndpoint,
  type PaymentProofView,
  type PixPaymentView,
  processPixPaymentEndpoint,
} from "@tilinta/contract/payments"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { listedStatusOf, type PayerStatus, payerStatusOf } from "@tilinta/contract/vocabulary/transactions"
import type { FastifyInstance } from "fastify"
import type { FastPath } from "#http/fast-path"
import { clientAddress, type IsTrusted } from "#http/hosts"
import { type Bucket, type CallerLimits, createTokenBuckets } from "#http/rate-limits"
import { replyTextOf, serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { networkOf } from "#kit/outside"
import { qrPng } from "#kit/qr-code"
import { getPaymentProof, type PaymentProof } from "#overviews/charge-details/details"
import { idempotencyKeyOf } from "#people/sessions/caller"
import { toPublicShop } from "#people/shops/views"
import type { HttpDeps } from "#start/deps"
import { type CreateChargeInput, createCharge } from "./create.ts"
import { getPaymentStatus } from "./find.ts"
import { type ProviderDeps, receiverNameOf } from "./open.ts"
import { type Charge, chargeStatusAt } from "./rules.ts"
import { chargePathOf, requirePayer } from "./views.ts"

type Deps = ProviderDeps &
  Pick<HttpDeps, "db" | "paymentStatuses" | "payersUrl" | "payerTokens" | "secretKeys"> & { chargeLimits: ChargeLimits }

export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  const { payerTokens } = deps
  serveEndpoint(app, processPixPaymentEndpoint, async ({ body, request }) => {
    const charge = await createCharge(deps, {
      pageId: body.checkoutPageId,
      customerInfo: body.customerInfo ?? null,
      amount: body.amount ?? null,
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
    return { proof: toProofView(await getPaymentProof(deps, transactionId), deps) }
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
  { id, amountCents, date, chargePage, refundedCents, refunds, shop, ...proof }: PaymentProof,
  { payerTokens, payersUrl }: Pick<Deps, "payerTokens" | "payersUrl">,
): PaymentProofView {
  return {
    ...proof,
    ...(shop !== null && { shop: toPublicShop(shop, payersUrl) }),
    chargePath: chargePathOf(chargePage, id, payerTokens),
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

type CodedCharge = Pick<Charge, "id" | "status" | "amountCents" | "expiresAt"> & { pixCode: string }

export function toPixPaymentView(charge: CodedCharge, payerToken: string, now: Date): PixPaymentView {
  const status = chargeStatusAt(charge, now)
  return {
    transactionId: charge.id,
    payerToken,
    pixQrCodeBase64: qrPng(charge.pixCode).toString("base64"),
    pixCode: charge.pixCode,
    amount: reaisFromCents(charge.amountCents),
    status: payerStatusOf[listedStatusOf(status)],
    expiresAt: charge.expiresAt.toISOString(),
    serverTime: now.toISOString(),
    receiverName: receiverNameOf(charge.pixCode),
  }
}

/** A person asks for one Pix, and a few more after a mistake. */
const perPageAndAddress = { burst: 30, perSecond: 1, keys: 50_000 }
/** A carrier's shared address is many people. */
const perAddress = { burst: 100, perSecond: 10, keys: 20_000 }
/** However many addresses a script has. The burst lets an audience in that opens a page at once. */
const perPage = { burst: 100, perSecond: 20, keys: 20_000 }

/** As fast as an API key may ask, however many keys and sessions there are. */
const perSeller = { burst: 120, perSecond: 10, keys: 20_000 }

/** The part of a creation's input that says where it comes from, and whether it may ask the bank. */
type Origin = Required<Pick<CreateChargeInput, "network" | "refuseNew">>

export interface ChargeLimits {
  of(address: string, pageId: string): Origin
  /** For charges that a seller's own system asks for, whatever the page. */
  ofSeller(sellerId: string): () => DomainError | null
}

/**
 * Rate limits of Pix creations alone, because each is a call to the bank, whose quota all sellers share. This machine is
 * limited too. Counted by this process: each of several nodes has its own.
 */
export function createChargeLimits(clock: Clock): ChargeLimits {
  const addresses = createTokenBuckets(perAddress, clock)
  const pagesOfAddresses = createTokenBuckets(perPageAndAddress, clock)
  const pages = createTokenBuckets(perPage, clock)
  const sellers = createTokenBuckets(perSeller, clock)

  function refusalOf(network: string, page: string): DomainError | null {
    const limits = [
      { buckets: addresses, bucket: addresses.of(network) },
      { buckets: pagesOfAddresses, bucket: pagesOfAddresses.of(`${network} ${page}`) },
      { buckets: pages, bucket: pages.of(page) },
    ]
    for (const [at, { buckets, bucket }] of limits.entries()) {
      const retryAfterSeconds = buckets.takeFrom(bucket)
      if (retryAfterSeconds === 0) continue
      giveBack(limits.slice(0, at))
      return new DomainError("too_many_requests", { retryAfterSeconds, message: tooManyCharges })
    }
    return null
  }

  return {
    of(address, pageId) {
      const network = networkOf(address)
      return { network, refuseNew: () => refusalOf(network, pageId.toLowerCase()) }
    },
    ofSeller: (sellerId) => () => {
      const retryAfterSeconds = sellers.takeFrom(sellers.of(sellerId))
      return retryAfterSeconds === 0
        ? null
        : new DomainError("too_many_requests", { retryAfterSeconds, message: tooManyCharges })
    },
  }
}

const tooManyCharges =
  "Muitos pedidos de Pix ao mesmo tempo. Nada foi cobrado: aguarde alguns segundos e tente de novo."

type Taken = { buckets: { giveBackTo(bucket: Bucket): void }; bucket: Bucket }

/** One that is refused by the second limit must not use up the first, which belongs to neighbours as well. */
function giveBack(taken: readonly Taken[]): void {
  for (const { buckets, bucket } of taken) buckets.giveBackTo(bucket)
}
