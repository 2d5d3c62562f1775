import type { PixKey } from "@tilinta/contract/vocabulary/pix-key"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { BankData } from "#db/money-tables"
import { DomainError } from "#kit/domain-error"
import type { Cents } from "#kit/money"

/** Frozen at the request: later changes of the profile can't redirect the money. */
export type Destination = { method: "pix"; pixKey: PixKey } | { method: "bank_transfer"; bankData: BankData }

/** A seller's request to be paid out. */
export interface Withdrawal {
  id: string
  sellerId: string
  amountCents: Cents
  destination: Destination
  /** The payout's id at the provider; null for manual transfers. */
  payoutId: string | null
  status: WithdrawalStatus
  /** Paid by a person: a bank transfer, or a Pix approved while the provider couldn't send it. */
  isPaidByHand: boolean
  provider: string | null
  endToEndId: string | null
  adminNotes: string
  failureReason: string | null
  attempts: number
  createdAt: Date
  approvedAt: Date | null
  /** When it was handed to the provider; null before, and for manual payments. */
  sentAt: Date | null
  processedAt: Date | null
}

/** 32 alphanumerics, unique to one withdrawal for ever. */
export function payoutIdOf(withdrawalId: string): string {
  return withdrawalId.replaceAll("-", "")
}

export function withdrawalOwnedBy(withdrawal: Withdrawal | null, sellerId: string): Withdrawal {
  if (withdrawal === null) throw new DomainError("withdrawal_not_found")
  if (withdrawal.sellerId !== sellerId) throw new DomainError("withdrawal_forbidden")
  return withdrawal
}
