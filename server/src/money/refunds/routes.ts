import {
  type AdminRefundView,
  adminListRefundsEndpoint,
  adminRefundTransactionEndpoint,
  listRefundsEndpoint,
  type RefundView,
  refundTransactionEndpoint,
} from "@tilinta/contract/refunds"
import { centsFromReais, reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import { listRequestsOfCharge } from "#money/refund-requests/reads"
import { type DescribedRefund, describeRefunds } from "#money/withdrawals/hand-settlements"
import { toHandSettlementView } from "#money/withdrawals/views"
import { pendingWriter } from "#people/second-approvals/routes"
import { proofOf } from "#people/second-factors/guard"
import { actorOf, adminOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { type NameUsers, nameIn } from "#people/users/user-names"
import { getCharge, getSellersCharge } from "#selling/charges/find"
import { type KnownRefunds, listRefunds } from "./list.ts"
import { requestRefund, requestRefundAsAdmin } from "./request.ts"
import type { Refund } from "./rules.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
  nameUsers: NameUsers
}

export function refundRoutes(app: FastifyInstance, deps: Deps): void {
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
    const known = await listRefunds(deps, charge, "seller")
    return { ...toKnownRefundsView(known), refunds: await withRequesters(deps, known.refunds, charge.sellerId) }
  })
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

/** Names who of the team wanted it: at the counter, and in the seller's place. */
async function withRequesters(
  { db, nameUsers }: Deps,
  refunds: readonly Refund[],
  sellerId: string,
): Promise<RefundView[]> {
  const memberOf = ({ origin, requestedBy }: Refund) =>
    origin === "seller" && requestedBy !== null && requestedBy !== sellerId ? requestedBy : null
  const names = await nameUsers(refunds.map(memberOf).filter((id) => id !== null))
  const [chargeId] = refunds.map((refund) => refund.chargeId)
  const requests = chargeId ? await listRequestsOfCharge(db, chargeId) : []
  return refunds.map((refund) => {
    const id = memberOf(refund)
    const request = requests.find(({ refundId }) => refundId === refund.id)
    return {
      ...toRefundView(refund),
      ...(id !== null && { requestedBy: nameIn(names, id).name }),
      ...(request && { askedBy: request.askedBy.name }),
    }
  })
}

export function toRefundView(refund: Refund): RefundView {
  return {
    _id: refund.id,
    amount: reaisFromCents(refund.amountCents),
    fee: reaisFromCents(refund.feeCents),
    netAmount: reaisFromCents(subtractCents(refund.amountCents, refund.feeCents)),
    status: refund.status,
    origin: refund.origin,
    reason: refund.reason,
    failureReason: refund.failureReason,
    endToEndId: refund.endToEndId,
    returnId: refund.returnId,
    createdAt: refund.createdAt.toISOString(),
    processedAt: refund.processedAt?.toISOString() ?? null,
  }
}

const notAuthentic =
  "Não é enviado: os dados deste estorno não são os que a plataforma registrou, alguém os mudou no banco de dados. Não devolva por outro caminho e fale com quem opera a plataforma."

export function toAdminRefundView(refund: DescribedRefund): AdminRefundView {
  const { isSettleable, handSettlement, isAuthentic } = refund
  return {
    ...toRefundView(refund),
    settleable: isSettleable,
    handSettlement: handSettlement && toHandSettlementView(handSettlement),
    failureReason: isAuthentic ? refund.failureReason : notAuthentic,
  }
}

function toKnownRefundsView({ refunds, refundableCents, deadline }: KnownRefunds) {
  return { refunds: refunds.map(toRefundView), refundable: reaisFromCents(refundableCents), deadline }
}
