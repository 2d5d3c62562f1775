import {
  type DefenceState,
  type DisputeReason,
  type DisputeState,
  isOpenDispute,
} from "@tilinta/contract/vocabulary/dispute-status"
import type { Cents } from "@tilinta/contract/vocabulary/money"

/** A payment that its payer disputes at the bank. */
export interface Dispute {
  id: string
  provider: string
  /** Null when an admin registered it. */
  pspDisputeId: string | null
  endToEndId: string
  /** Both null for an uncredited payment. */
  chargeId: string | null
  sellerId: string | null
  /** The disputed amount: all or a part of the payment. */
  amountCents: Cents
  /** The amount in the seller's blocked account for it now. */
  blockedCents: Cents
  /** The amount that the bank has taken for it. */
  debitedCents: Cents
  movements: number
  reason: DisputeReason
  details: string
  state: DisputeState
  respondUntil: Date | null
  openedAt: Date
  reportedAt: Date | null
  closedAt: Date | null
  /** Nothing is blocked for it from this moment on. */
  settledAt: Date | null
  /** Text of the bank's analyst. */
  analysis: string
  defence: string | null
  defenceState: DefenceState
  defendedAt: Date | null
  attempts: number
  registeredBy: string | null
  adminNotes: string
  createdAt: Date
}

export function isOpen({ state }: Pick<Dispute, "state">): boolean {
  return isOpenDispute(state)
}

/** The refund id under which an admin books the debit, until the bank reports its own. */
export function handDebitName({ id }: Pick<Dispute, "id">): string {
  return id.replaceAll("-", "")
}
