import {
  acceptUnmatchedPaymentEndpoint,
  closeUnreadableEntryEndpoint,
  getUnmatchedPaymentEndpoint,
  listUnmatchedPaymentsEndpoint,
  returnUnmatchedPaymentEndpoint,
  type UnmatchedPaymentsSummary,
  type UnmatchedPaymentView,
  type UnreadableEntryView,
} from "@tilinta/contract/api/unmatched-payments-endpoints"
import { addCents, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import {
  type UnmatchedPaymentReason,
  unmatchedPaymentFilters,
} from "@tilinta/contract/vocabulary/unmatched-payment-status"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { closeUnreadable } from "#domain/bank/daily-closes/close-unreadable-difference"
import { listUnreadable, type SeenUnreadable } from "#domain/bank/reconciliation/record-unreadable"
import { acceptUnmatchedPayment } from "#domain/money/unmatched-payments/accept-unmatched-payment"
import {
  getUnmatchedPayment,
  listUnmatchedPayments,
  type UnmatchedPaymentWithEffects,
} from "#domain/money/unmatched-payments/list-unmatched-payments"
import { returnUnmatchedPayment } from "#domain/money/unmatched-payments/return-unmatched-payment"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import type { NameUsers } from "#domain/people/users/user-names"
import type { AccessNotes } from "#domain/platform/audit/access-notes"
import { pendingWriter } from "#http/approval-view"
import { toAdminRefundView } from "#http/refund-view"
import { rangeOf } from "#http/requested-range"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { type DescribedRefund, describeRefundsOf } from "#money/withdrawals/hand-settlements"
import { noteList } from "./note-list.ts"
import { adminOf } from "./require-admin.ts"

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
