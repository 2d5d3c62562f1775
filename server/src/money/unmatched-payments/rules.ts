import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { UnmatchedPaymentReason, UnmatchedPaymentStatus } from "@tilinta/contract/vocabulary/transactions"

/** A payment that an admin must check: nobody could be credited, or it was credited late or as a duplicate. */
export interface UnmatchedPayment {
  id: string
  endToEndId: string
  reason: UnmatchedPaymentReason
  status: UnmatchedPaymentStatus
  /** The charge that an accepted payment became. */
  acceptedChargeId: string | null
  /** The charge that the bank calls paid, where the payment names none. */
  suggestedChargeId: string | null
  refundId: string | null
  adminNotes: string
  receivedAt: Date
  decidedAt: Date | null
}

/** The money waits in the ledger's suspense account. Late and duplicate payments were credited when they came. */
export function isUncredited({ reason }: Pick<UnmatchedPayment, "reason">): boolean {
  return reason !== "late" && reason !== "duplicate"
}

/** The part of an unmatched payment that stays as it is, whatever is decided about it. */
export interface UncreditedPayment {
  id: string
  endToEndId: string
  txid: string | null
  amountCents: Cents
  reason: UnmatchedPaymentReason
  paidAt: Date
  receivedAt: Date
  /** The charge that it names. */
  namedChargeId: string | null
}
