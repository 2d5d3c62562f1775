import type { RefundOrigin, RefundStatus } from "@tilinta/contract/vocabulary/refund-status"
import type { Cents } from "#kit/money"

/** Money on its way back to a payer, or back already. */
export interface Refund {
  id: string
  endToEndId: string
  /** Its name at the provider, one for ever. */
  pspRefundId: string
  provider: string
  /** Both null for the refund of an uncredited payment. */
  chargeId: string | null
  sellerId: string | null
  amountCents: Cents
  /** The part of the fee that goes back with it. */
  feeCents: Cents
  origin: RefundOrigin
  status: RefundStatus
  reason: string
  failureReason: string | null
  returnId: string | null
  requestedBy: string | null
  /** The bank took it because the payer contested the payment. */
  isDispute: boolean
  /** Which dispute, as far as it is known. */
  disputeId: string | null
  attempts: number
  createdAt: Date
  processedAt: Date | null
  /** By the bank's clock, where it tells; null until the money has gone back. */
  settledAt: Date | null
}

/** 32 alphanumerics, one refund's for ever. */
export function pspRefundIdOf(refundId: string): string {
  return refundId.replaceAll("-", "")
}
