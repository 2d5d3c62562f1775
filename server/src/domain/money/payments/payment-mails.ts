import { holdsAddress } from "#domain/people/users/misleading-text"
import { type NewMail, receiptMailKey } from "#domain/platform/mails/enqueue-mails"
import type { Charge } from "#domain/selling/charges/charge"
import type { Payment } from "./payments-repository.ts"
import type { UntoldSale } from "./untold-sales-repository.ts"

/** Deduplicates mails by payment. */
export function paymentMailKey(endToEndId: string): string {
  return `payment:${endToEndId}`
}

/** Anybody may pay under any name, and mail programs make links of addresses: our mails advertise nobody's site. */
function mailedName(payerName: string | null): string | null {
  return payerName === null || holdsAddress(payerName) ? null : payerName
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
      payerName: mailedName(charge.payer.name),
      amountCents: charge.amountCents,
      feeCents: charge.feeCents,
      netCents: charge.netCents,
      paidAt: payment.paidAt.toISOString(),
    },
  }
}

/** To an address that the payer typed: it says what was paid and to whom, and nothing of anybody else. */
export function receiptMail(
  sale: UntoldSale & { payerEmail: string },
  { payersUrl, token }: { payersUrl: string; token: string },
): NewMail {
  return {
    userId: sale.sellerId,
    to: sale.payerEmail,
    dedupeKey: receiptMailKey(sale.chargeId),
    content: {
      kind: "receipt",
      payerName: mailedName(sale.payerName) ?? "",
      receiver: sale.sellerName,
      pageTitle: sale.pageTitle,
      amountCents: sale.amountCents,
      paidAt: sale.paidAt.toISOString(),
      endToEndId: sale.endToEndId,
      url: `${payersUrl}/payment/receipt/${sale.chargeId}?k=${token}`,
    },
  }
}
