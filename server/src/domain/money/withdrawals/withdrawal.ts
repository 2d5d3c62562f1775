import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { PixKey } from "@tilinta/contract/vocabulary/pix-key"
import type { HoldReason } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { BankData } from "#db/money-tables"
import { DomainError } from "#kit/domain-error"

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
  /** The part that came back after it had been paid; below the amount it stays completed. */
  returnedCents: Cents
  /** When the money went back to the balance after the approval, paid or not. */
  returnedAt: Date | null
  returnReason: string | null
  /** When a worker was last about to send it. */
  sendingAt: Date | null
  /** The API key that requested it; null when it was requested in the browser. */
  apiKeyId: string | null
  /** Nobody approves or sends it before; null when it never waited. */
  heldUntil: Date | null
  holdReasons: HoldReason[]
  /** True when people, not the bank, said that it was paid. */
  wasSettledByHand: boolean
  /** The first of two administrators who approved it; null where one was enough. */
  firstApprovedBy: string | null
}

/** 32 alphanumerics, unique to one withdrawal for ever. */
export function payoutIdOf(withdrawalId: string): string {
  return withdrawalId.replaceAll("-", "")
}

/** A withdrawal as it was when its seller requested it. */
export function asRequested(
  request: Pick<Withdrawal, "id" | "sellerId" | "amountCents" | "destination" | "createdAt" | "apiKeyId"> &
    Partial<Pick<Withdrawal, "heldUntil" | "holdReasons">>,
): Withdrawal {
  const { id, sellerId, amountCents, destination, createdAt, apiKeyId, heldUntil = null, holdReasons = [] } = request
  return {
    id,
    sellerId,
    amountCents,
    destination,
    payoutId: destination.method === "pix" ? payoutIdOf(id) : null,
    status: "pending",
    isPaidByHand: destination.method === "bank_transfer",
    provider: null,
    endToEndId: null,
    adminNotes: "",
    failureReason: null,
    attempts: 0,
    createdAt,
    approvedAt: null,
    sentAt: null,
    processedAt: null,
    returnedCents: noMoney,
    returnedAt: null,
    returnReason: null,
    sendingAt: null,
    apiKeyId,
    heldUntil,
    holdReasons,
    wasSettledByHand: false,
    firstApprovedBy: null,
  }
}

export function withdrawalOwnedBy(withdrawal: Withdrawal | null, sellerId: string): Withdrawal {
  if (withdrawal === null) throw new DomainError("withdrawal_not_found")
  if (withdrawal.sellerId !== sellerId) throw new DomainError("withdrawal_forbidden")
  return withdrawal
}
