import type { PublicChargePageView } from "../charge-pages.ts"
import type { PublicShopView } from "../fields.ts"
import type { PixPaymentView } from "../payments.ts"
import type { PayerData, PayerDataProblem } from "../vocabulary/payer-data.ts"

/** Input of the checkout's renderer, which is built apart from the server. */
export interface CheckoutProps {
  platformName: string
  supportEmail: string
  /** Public origin of this installation, such as https://pagar.exemplo.com.br. */
  origin: string
  /** Null when the page takes no payments: unknown, expired, cancelled or deleted. */
  page: PublicChargePageView | null
  /** The reason that there is none: its seller must confirm their e-mail first, or administrators suspended it; null when unknown. */
  hiddenBy: "charge_page_not_open" | "charge_page_suspended" | null
  /** The invoice of a page that takes no payments any more; null without one. */
  ended: EndedInvoice | null
  /** The shop of a page that is over or suspended; null where `page` says it, and without one. */
  closedShop: PublicShopView | null
  /** The address at which the page is reported; null without a page. */
  reportPath: string | null
  /** The address at which an invoice's customer sees, corrects and deletes their data; null on any other page. */
  customerDataPath: string | null
  /** The image shown where the link is shared. */
  previewUrl: string | null
  form: PlainForm
  /** Whether payers go on to the seller's shop once they have paid. */
  isReturning: boolean
  /** Whether nobody has looked at the seller yet, so that the page doesn't call them safe. */
  isNewSeller: boolean
  /** Set on the page of one Pix, null elsewhere. */
  payment: PlainPayment | null
}

/** Why an invoice can't be paid, and the day on which it was over. */
export interface EndedInvoice {
  state: "expired" | "cancelled" | "settled_outside" | "debiting"
  lastDay: string
  /** When it is debited, while its debit is under way; null on later days, until its outcome is known. */
  debited: "hoje" | "amanhã" | null
  seller: string
}

/** Also the amount as it was typed, where the payer chooses it. */
export type FormValues = PayerData & { amount?: string | undefined }

export interface FormProblem {
  field: PayerDataProblem["field"] | "amount"
  message: string
}

/** The state of a form that is sent without script, and how it came back. */
export interface PlainForm {
  key: string
  values: FormValues
  problem: FormProblem | null
  failure: string | null
}

export interface PlainPayment {
  pix: PixPaymentView
  title: string
  /** The shop as it was when it was paid, else the seller's own name. */
  seller: string
  sellerDocument: string | null
  confirmedAt: string | null
  returned: number
  /** The way back to the shop; null before the payment. */
  returnUrl: string | null
  /** Whether the payment has just been seen, so that the payer goes back by itself. */
  isLeaving: boolean
  /** The charge page, where another code can be generated. */
  pagePath: string
}
