import type { AdminRefundView, RefundView } from "@tilinta/contract/api/refunds-endpoints"
import type { KnownRefunds } from "#domain/money/refunds/list-refunds"
import type { Refund } from "#domain/money/refunds/refund"
import { reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { DescribedRefund } from "#money/withdrawals/hand-settlements"
import { toHandSettlementView } from "#money/withdrawals/views"

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

export function toAdminRefundView(refund: DescribedRefund): AdminRefundView {
  const { isSettleable, handSettlement } = refund
  return {
    ...toRefundView(refund),
    settleable: isSettleable,
    handSettlement: handSettlement && toHandSettlementView(handSettlement),
  }
}

export function toKnownRefundsView({ refunds, refundableCents, deadline }: KnownRefunds) {
  return { refunds: refunds.map(toRefundView), refundable: reaisFromCents(refundableCents), deadline }
}
