import type { AdminTransactionView } from "@tilinta/contract/api/admin-transactions-endpoints"
import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { adminStatusOf, sellerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { OrderedCharge, VerifiedCharge } from "#domain/selling/charges/charge"
import type { ListedChargeOfSeller } from "#domain/selling/charges/list-charges"

export function toTransactionView(charge: OrderedCharge): TransactionView {
  return { ...sharedFields(charge), status: sellerStatusOf[charge.status], metadata: sharedMetadata(charge) }
}

/** Only where it is read now: an event is told as it was then. */
export function toCountedTransactionView(charge: VerifiedCharge<OrderedCharge>): TransactionView {
  return { ...toTransactionView(charge), receiptVerifications: charge.receiptVerifications }
}

export function toAdminTransactionView(charge: ListedChargeOfSeller): AdminTransactionView {
  const { seller, status } = charge
  return {
    ...sharedFields(charge),
    status: adminStatusOf[status],
    user: { _id: seller.id, name: seller.name, email: seller.email },
    metadata: { ...sharedMetadata(charge), reason: status === "expired" ? "expired" : null },
  }
}

function sharedFields(charge: OrderedCharge) {
  return {
    _id: charge.id,
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
    paidAt: charge.paidAt?.toISOString() ?? null,
    description: charge.description,
    amount: reaisFromCents(charge.amountCents),
    grossAmount: reaisFromCents(charge.amountCents),
    fee: reaisFromCents(charge.feeCents),
    netAmount: reaisFromCents(charge.netCents),
    refundedAmount: reaisFromCents(charge.refundedCents),
    paymentMethod: "pix" as const,
    checkoutPage: { _id: charge.pageId, title: charge.pageTitle },
    customerInfo: { name: charge.payer.name ?? "" },
    customerDataErasedAt: charge.payerErasedAt?.toISOString() ?? null,
    externalReference: charge.order.externalReference,
  }
}

function sharedMetadata({ txid, endToEndId, isLate, isDuplicate, order }: OrderedCharge) {
  return { txid, endToEndId, late: isLate, duplicate: isDuplicate, order: order.metadata }
}
