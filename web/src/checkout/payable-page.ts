import type { PublicChargePageView } from "@tilinta/contract/charge-pages"
import type { PixPaymentView } from "@tilinta/contract/payments"
import { type PayerDataProblem, type PayerField, requiredFields } from "@tilinta/contract/vocabulary/payer-data"
import { formatDateTime } from "#format/dates.ts"

/** The part of a charge page that the payer's script reads. */
export interface PayablePage {
  id: string
  link: string
  title: string
  description: string
  amount: number
  isPaid?: boolean
  isAnonymous?: boolean
  /** Whether the seller is new, so that nothing is promised for them. */
  isNew?: boolean
  /**
   * Address of a payment's own page, without its id: payers go on from there to the seller's shop, by a link that the
   * server alone can sign.
   */
  back?: string
  /** The fields that the form displays at first, in order. */
  required: readonly PayerField[]
  /** The deadline in words, as `Intl` is slow to set up on an old phone. */
  until: string | null
  seller: string
}

/** The JSON that comes with the HTML: also the result of a form that was sent without script. */
export interface CheckoutData extends PayablePage {
  problem?: PayerDataProblem | null
  failure?: string | null
  pix?: PixPaymentView
}

export function payablePage(view: PublicChargePageView): PayablePage {
  const isAnonymous = view.pixConfig.allowAnonymous
  return {
    id: view._id,
    link: view.uniqueLink,
    title: view.title,
    description: view.description,
    amount: view.amount,
    ...(view.status === "completed" && { isPaid: true }),
    ...(isAnonymous && { isAnonymous }),
    required: isAnonymous ? [] : requiredFields(view.customerInfo),
    until: view.expiresAt && formatDateTime(view.expiresAt),
    seller: view.seller.name,
  }
}
