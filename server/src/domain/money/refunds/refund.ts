import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { RefundOrigin, RefundStatus } from "@tilinta/contract/vocabulary/refund-status"

/** Money returned to a payer, completed or under way. */
export interface Refund {
  id: string
  endToEndId: string
  /** Its id at the provider, one for ever. */
  pspRefundId: string
  provider: string
  /** Both null for the refund of an uncredited payment. */
  chargeId: string | null
  sellerId: string | null
  amountCents: Cents
  /** The share of the fee returned with it. */
  feeCents: Cents
  origin: RefundOrigin
  status: RefundStatus
  reason: string
  failureReason: string | null
  returnId: string | null
  requestedBy: string | null
  /** True when the bank took it because of a dispute. */
  isDispute: boolean
  /** The dispute, if known. */
  disputeId: string | null
  attempts: number
  createdAt: Date
  processedAt: Date | null
  /** By the bank's clock, if it reports the time; null until the money has been returned. */
  settledAt: Date | null
  /** When a worker was last about to send it. */
  sendingAt: Date | null
}

/** 32 alphanumerics, unique to one refund for ever. */
export function pspRefundIdOf(refundId: string): string {
  return refundId.replaceAll("-", "")
}

/** The first answer again, whatever became of the refund. */
export function asRequested(refund: Refund): Refund {
  return {
    ...refund,
    status: "processing",
    failureReason: null,
    returnId: null,
    isDispute: false,
    disputeId: null,
    attempts: 0,
    processedAt: null,
    settledAt: null,
  }
}
