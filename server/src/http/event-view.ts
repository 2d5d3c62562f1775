import type { EventView } from "@tilinta/contract/api/events-endpoints"
import { eventIdOf, type SellerEvent } from "#domain/integrations/event-feed/seller-event"
import type { UncreditedPayment } from "#domain/money/unmatched-payments/unmatched-payment"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { toWithdrawalView } from "#money/withdrawals/views"
import { toChargePageView } from "./charge-page-view.ts"
import { toTransactionView } from "./transaction-view.ts"

/** The same in the feed and in a webhook. */
export function toEventView(event: SellerEvent): EventView {
  const told = { id: eventIdOf(event), sequence: event.sequence, createdAt: event.occurredAt.toISOString() }
  if ("charge" in event) return { ...told, type: event.type, data: { transaction: toTransactionView(event.charge) } }
  if ("page" in event) return { ...told, type: event.type, data: { checkoutPage: toChargePageView(event.page) } }
  if ("payment" in event) return { ...told, type: event.type, data: { payment: toPaymentView(event.payment) } }
  return { ...told, type: event.type, data: { withdrawal: toWithdrawalView(event.withdrawal) } }
}

function toPaymentView(payment: UncreditedPayment) {
  return {
    _id: payment.id,
    endToEndId: payment.endToEndId,
    txid: payment.txid,
    amount: reaisFromCents(payment.amountCents),
    paidAt: payment.paidAt.toISOString(),
    receivedAt: payment.receivedAt.toISOString(),
    reason: payment.reason,
    transaction: payment.namedChargeId === null ? null : { _id: payment.namedChargeId },
  }
}
