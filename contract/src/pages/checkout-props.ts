import type { PublicChargePageView } from "../api/charge-pages-endpoints.ts"
import type { PixPaymentView } from "../api/payments-endpoints.ts"
import type { PayerData, PayerDataProblem } from "../vocabulary/payer-data.ts"

/** What the server hands to the renderer of the checkout, which is built apart from it. */
export interface CheckoutProps {
  platformName: string
  supportEmail: string
  /** Where this installation lives, such as https://pagar.exemplo.com.br. */
  origin: string
  /** Null when nobody can pay here: unknown, expired, cancelled or deleted. */
  page: PublicChargePageView | null
  /** The image for whoever shares the link. */
  previewUrl: string | null
  form: PlainForm
  /** On the page of one Pix. */
  payment: PlainPayment | null
}

/** What a form needs that is sent without script, and how it came back. */
export interface PlainForm {
  key: string
  values: PayerData
  problem: PayerDataProblem | null
  failure: string | null
}

export interface PlainPayment {
  pix: PixPaymentView
  title: string
  seller: string
  confirmedAt: string | null
  returned: number
  /** The charge page, for another code. */
  pagePath: string
}
