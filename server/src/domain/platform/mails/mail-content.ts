import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import type { WithdrawalMethod } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { Cents } from "#kit/money"

export type AccountMailContent =
  | { kind: "reset_password"; token: string }
  | { kind: "invitation"; token: string }
  | { kind: "password_changed"; changedAt: string }
  | { kind: "email_changed"; changedAt: string }
  | { kind: "bank_account_changed"; changedAt: string }

/** A mail's content as stored until it is sent. Timestamps are ISO 8601. */
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
      /** The amount taken from the seller's balance; the rest is the fee's share. */
      takenCents: Cents
      reason: string
      refundedAt: string
    }
  | {
      kind: "dispute_opened"
      pageTitle: string
      amountCents: Cents
      /** The amount blocked on the seller's available balance for now. */
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

/** True when its link opens an account: the content is erased once the mail is sent or given up. */
export function holdsSecret(kind: MailContent["kind"]): boolean {
  return kind === "reset_password" || kind === "invitation"
}

const minute = 60
const day = 86_400

/** After this time the mail is of no use to anybody. */
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
