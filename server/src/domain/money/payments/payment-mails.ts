import type { NewMail } from "#domain/platform/mails/enqueue-mails"
import type { Charge } from "#domain/selling/charges/charge"
import type { Payment } from "./payments-repository.ts"

/** Deduplicates mails by payment. */
export function paymentMailKey(endToEndId: string): string {
  return `payment:${endToEndId}`
}

type CreditedCharge = Pick<Charge, "sellerId" | "pageTitle" | "amountCents" | "feeCents" | "netCents"> & {
  payer: Pick<Charge["payer"], "name">
}

export function creditedMail(charge: CreditedCharge, payment: Pick<Payment, "endToEndId" | "paidAt">): NewMail {
  return {
    userId: charge.sellerId,
    dedupeKey: paymentMailKey(payment.endToEndId),
    content: {
      kind: "payment_received",
      pageTitle: charge.pageTitle,
      payerName: charge.payer.name,
      amountCents: charge.amountCents,
      feeCents: charge.feeCents,
      netCents: charge.netCents,
      paidAt: payment.paidAt.toISOString(),
    },
  }
}
