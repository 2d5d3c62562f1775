import type { PlainPayment } from "@tilinta/contract/pages/checkout-props"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import { findReturnLinkOf } from "#domain/selling/charges/find-return-link-of"
import { findShownCharge } from "#domain/selling/charges/find-shown-charge"
import { checkoutPath } from "./checkout-path.ts"
import { toPixPaymentView } from "./pix-payment-view.ts"
import type { CheckoutDeps, CheckoutScreen } from "./send-checkout.ts"

/** The address of one Pix, which payers without script can reload. */
export function paymentPath(link: string, transactionId: string, payerToken: string): string {
  return `${checkoutPath(link)}?pix=${transactionId}&k=${payerToken}`
}

interface Asked {
  link: string
  transactionId: string
  /** The payer's token, as sent. */
  token: unknown
  isReceipt: boolean
  isLeaving: boolean
}

/** Works after the charge page was closed too; null when the Pix belongs to another page. */
export async function findPlainPayment(
  { db, clock, payerTokens, secretKeys }: CheckoutDeps,
  found: CheckoutScreen["found"],
  { link, transactionId, token, isReceipt, isLeaving }: Asked,
): Promise<PlainPayment | null> {
  if (!payerTokens.admits(transactionId, token)) return null
  const shown = await findShownCharge(db, transactionId)
  if (shown === null || (found !== null && found.page.id !== shown.charge.pageId)) return null
  const { charge, sellerName } = shown
  const pix = toPixPaymentView(charge, payerTokens.of(charge.id), clock.now())
  return {
    pix,
    title: charge.pageTitle,
    seller: sellerName,
    confirmedAt: pix.status === payerStatusOf.paid ? (charge.paidAt?.toISOString() ?? null) : null,
    endToEndId: charge.endToEndId,
    returned: reaisFromCents(charge.refundedCents),
    isReceipt,
    isLeaving,
    returnUrl: await findReturnLinkOf({ db, clock, secretKeys }, charge),
    pagePath: checkoutPath(link),
  }
}
