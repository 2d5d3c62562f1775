import type { DefenceState, DisputeReason, DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import type { Cents } from "#kit/money"

/** A payment that its payer contests at the bank. */
export interface Dispute {
  id: string
  provider: string
  /** Null where an admin registered it. */
  pspDisputeId: string | null
  endToEndId: string
  /** Both null for an uncredited payment. */
  chargeId: string | null
  sellerId: string | null
  /** All or a part of the payment. */
  amountCents: Cents
  /** What lies in the seller's blocked account for it now. */
  blockedCents: Cents
  /** What the bank has taken for it. */
  debitedCents: Cents
  movements: number
  reason: DisputeReason
  details: string
  state: DisputeState
  respondUntil: Date | null
  openedAt: Date
  reportedAt: Date | null
  closedAt: Date | null
  /** From then on nothing is blocked for it. */
  settledAt: Date | null
  /** What the bank's analyst wrote. */
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
  return state === "open" || state === "defended"
}

/** The refund by which an admin books the debit, until the bank tells its own name for it. */
export function handDebitName({ id }: Pick<Dispute, "id">): string {
  return id.replaceAll("-", "")
}
