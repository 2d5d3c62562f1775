import { subtractCents } from "@tilinta/contract/vocabulary/money"
import type { NewMail } from "#domain/platform/mails/enqueue-mails"
import type { Charge } from "#domain/selling/charges/charge"
import type { Refund } from "./refund.ts"

/** Sellers aren't notified of their own refunds. */
export function refundMails(refund: Refund, charge: Charge | null, at: Date): NewMail[] {
  const { origin } = refund
  if (charge === null || origin === "seller") return []
  return [
    {
      userId: charge.sellerId,
      dedupeKey: `refund:${refund.id}`,
      content: {
        kind: "payment_refunded",
        origin,
        pageTitle: charge.pageTitle,
        amountCents: refund.amountCents,
        takenCents: subtractCents(refund.amountCents, refund.feeCents),
        reason: refund.reason,
        refundedAt: at.toISOString(),
      },
    },
  ]
}
