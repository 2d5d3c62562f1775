import {
  acceptUnmatchedPaymentEndpoint,
  closeUnreadableEntryEndpoint,
  getUnmatchedPaymentEndpoint,
  listUnmatchedPaymentsEndpoint,
  returnUnmatchedPaymentEndpoint,
  type UnmatchedPaymentsSummary,
  type UnmatchedPaymentView,
  type UnreadableEntryView,
} from "@tilinta/contract/unmatched-payments"
import { addCents, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { type UnmatchedPaymentReason, unmatchedPaymentFilters } from "@tilinta/contract/vocabulary/transactions"
import type { FastifyInstance } from "fastify"
import { closeUnreadable } from "#bank/daily-closes/daily-close"
import { listUnreadable, type SeenUnreadable } from "#bank/reconciliation/reads"
import type { Db } from "#db/transaction"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import { toAdminRefundView } from "#money/refunds/routes"
import { type DescribedRefund, describeRefundsOf } from "#money/withdrawals/hand-settlements"
import { pendingWriter } from "#people/second-approvals/routes"
import type { SecondApproval } from "#people/second-approvals/rules"
import { adminOf } from "#people/sessions/caller"
import type { NameUsers } from "#people/users/user-names"
import type { AccessNotes } from "#platform/audit/access-notes"
import { noteList } from "#platform/audit/routes"
import { acceptUnmatchedPayment } from "./accept.ts"
import { getUnmatchedPayment, listUnmatchedPayments, type UnmatchedPaymentWithEffects } from "./list-reads.ts"
import { returnUnmatchedPayment } from "./return.ts"

interface Deps {
  db: Db
  clock: Clock
  nameUsers: NameUsers
  protection: Protection
  accessNotes: AccessNotes
}

const halfText = "Anotado. Vale quando outro administrador aprovar o mesmo."

export function unmatchedPaymentRoutes(app: FastifyInstance, deps: Deps): void {
  const payment = async (id: string) => {
    const found = await getUnmatchedPayment(deps.db, id)
    return toUnmatchedPaymentView(found, await refundsOf(deps, [found]))
  }
  const pendingOf = pendingWriter(deps.nameUsers)
  const decided = async (id: string, message: string, waits: SecondApproval | null) => ({
    message: waits === null ? message : halfText,
    data: { payment: await payment(id), ...(await pendingOf(waits)) },
  })

  serveEndpoint(app, listUnmatchedPaymentsEndpoint, async ({ query, request }) => {
    const filter = { statuses: unmatchedPaymentFilters[query.status], reason: query.reason, search: query.search }
    const { payments, totals } = await listUnmatchedPayments(deps.db, filter, rangeOf(query))
    const summary = toSummaryView(totals)
    noteList(deps.accessNotes, request, { list: "unmatched_payments", query, results: summary.count })
    const unreadable = await openUnreadable(deps.db)
    const refunds = await refundsOf(deps, payments)
    const views = payments.map((each) => toUnmatchedPaymentView(each, refunds))
    return { results: summary.count, data: { payments: views, summary, unreadable } }
  })

  serveEndpoint(app, getUnmatchedPaymentEndpoint, async ({ params }) => {
    return { payment: await payment(params.id) }
  })

  serveEndpoint(app, acceptUnmatchedPaymentEndpoint, async ({ params, body, request }) => {
    const waits = await acceptUnmatchedPayment(deps, { id: params.id, admin: adminOf(request), ...body })
    return decided(params.id, "Pagamento aceito.", waits)
  })

  serveEndpoint(app, returnUnmatchedPaymentEndpoint, async ({ params, body, request }) => {
    const waits = await returnUnmatchedPayment(deps, { id: params.id, admin: adminOf(request), ...body })
    return decided(params.id, "Devolução solicitada ao banco.", waits)
  })

  serveEndpoint(app, closeUnreadableEntryEndpoint, async ({ params, body, request }) => {
    await closeUnreadable(deps, { id: params.id, reason: body.reason, admin: adminOf(request) })
    return { message: "Lançamento encerrado.", data: { unreadable: await openUnreadable(deps.db) } }
  })
}

async function openUnreadable(db: Db): Promise<UnreadableEntryView[]> {
  return (await listUnreadable(db)).map(toUnreadableView)
}

function toUnreadableView(entry: SeenUnreadable): UnreadableEntryView {
  const { id, happenedAt, firstSeenAt, ...words } = entry
  return { _id: id, ...words, happenedAt: happenedAt.toISOString(), firstSeenAt: firstSeenAt.toISOString() }
}

function refundsOf(deps: Deps, payments: readonly UnmatchedPaymentWithEffects[]) {
  return describeRefundsOf(
    deps,
    payments.flatMap(({ refundId }) => refundId ?? []),
  )
}

function toUnmatchedPaymentView(
  payment: UnmatchedPaymentWithEffects,
  refunds: ReadonlyMap<string, DescribedRefund>,
): UnmatchedPaymentView {
  const { charge, seller, effects } = payment
  const refund = refunds.get(payment.refundId ?? "")
  const page = charge === null || charge.pageId === null ? null : { _id: charge.pageId, title: charge.pageTitle }
  return {
    _id: payment.id,
    endToEndId: payment.endToEndId,
    txid: payment.txid,
    amount: reaisFromCents(payment.amountCents),
    paidAt: payment.paidAt.toISOString(),
    receivedAt: payment.receivedAt.toISOString(),
    reason: payment.reason,
    status: payment.status,
    suggestion: payment.suggestion,
    effect: { accept: toEffectView(effects.accept), return: toEffectView(effects.return) },
    transaction: charge === null ? null : { _id: charge.id, amount: reaisFromCents(charge.amountCents) },
    checkoutPage: page,
    user: seller === null ? null : { _id: seller.id, name: seller.name, email: seller.email },
    refund: refund === undefined ? null : toAdminRefundView(refund),
    adminNotes: payment.adminNotes,
    decidedAt: payment.decidedAt?.toISOString() ?? null,
  }
}

function toEffectView({ sellerGetsCents, feeCents, payerGetsCents }: UnmatchedPaymentWithEffects["effects"]["accept"]) {
  return {
    sellerGets: reaisFromCents(sellerGetsCents),
    fee: reaisFromCents(feeCents),
    payerGets: reaisFromCents(payerGetsCents),
  }
}

function toSummaryView(totals: Awaited<ReturnType<typeof listUnmatchedPayments>>["totals"]): UnmatchedPaymentsSummary {
  const of = (reason: UnmatchedPaymentReason) => {
    const total = totals.find((each) => each.reason === reason)
    return { count: total?.count ?? 0, amount: reaisFromCents(total?.amountCents ?? noMoney) }
  }
  return {
    count: totals.reduce((sum, { count }) => sum + count, 0),
    totalAmount: reaisFromCents(totals.reduce((sum, { amountCents }) => addCents(sum, amountCents), noMoney)),
    unknown_txid: of("unknown_txid"),
    wrong_amount: of("wrong_amount"),
    charge_already_paid: of("charge_already_paid"),
    late: of("late"),
    duplicate: of("duplicate"),
  }
}
