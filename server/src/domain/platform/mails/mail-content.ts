import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import type { WithdrawalMethod } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { Cents } from "#kit/money"

export type AccountMailContent =
  | { kind: "reset_password"; token: string }
  | { kind: "invitation"; token: string }
  | { kind: "password_changed"; changedAt: string }
  | { kind: "email_changed"; changedAt: string }
  | { kind: "bank_account_changed"; changedAt: string }

/** What a mail tells, as it is stored until it goes. Moments are ISO 8601. */
export type MailContent =
  | AccountMailContent
  | {
      kind: "payment_received"
      pageTitle: string
      payerName: string | null
      amountCents: Cents
      feeCents: Cents
      netCents: Cents
      paidAt: string
    }
  | {
      kind: "payment_refunded"
      origin: "admin" | "bank"
      pageTitle: string
      amountCents: Cents
      /** What left the seller's balance: the rest is the fee's part. */
      takenCents: Cents
      reason: string
      refundedAt: string
    }
  | {
      kind: "dispute_opened"
      pageTitle: string
      amountCents: Cents
      /** What left the seller's available balance for the time being. */
      blockedCents: Cents
      reason: DisputeReason
      respondUntil: string | null
    }
  | { kind: "dispute_closed"; pageTitle: string; amountCents: Cents; isDebited: boolean }
  | {
      kind: "withdrawal_requested"
      sellerName: string
      amountCents: Cents
      method: WithdrawalMethod
      requestedAt: string
    }
  | { kind: "daily_close_differs"; closeId: string; day: string; provider: string; count: number }

/** A link in it opens an account: nothing of it is kept once it has gone or is given up. */
export function holdsSecret(kind: MailContent["kind"]): boolean {
  return kind === "reset_password" || kind === "invitation"
}

const minute = 60
const day = 86_400

/** Afterwards nobody is served by it any more. */
export const mailLifetimeSeconds = {
  reset_password: 30 * minute,
  invitation: 3 * day,
  password_changed: 3 * day,
  email_changed: 3 * day,
  bank_account_changed: 3 * day,
  payment_received: 3 * day,
  payment_refunded: 3 * day,
  dispute_opened: 3 * day,
  dispute_closed: 3 * day,
  withdrawal_requested: 3 * day,
  daily_close_differs: 3 * day,
} as const satisfies Record<MailContent["kind"], number>
