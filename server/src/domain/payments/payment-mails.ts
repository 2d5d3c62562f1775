import type { NewMail } from "#domain/mails/enqueue-mails"
import type { SettledPayment } from "./settle-payments.ts"

/** Only for money that was credited: what waits in suspense is nobody's yet. */
export function paymentMails({ received, charge, reason }: SettledPayment): NewMail[] {
  if (charge === null || reason !== null) return []
  return [
    {
      userId: charge.sellerId,
      dedupeKey: `payment:${received.endToEndId}`,
      content: {
        kind: "payment_received",
        pageTitle: charge.pageTitle,
        payerName: charge.payer.name,
        amountCents: received.amountCents,
        feeCents: charge.feeCents,
        netCents: charge.netCents,
        paidAt: received.paidAt.toISOString(),
      },
    },
  ]
}
