import type { PublicChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import type { PixPaymentView } from "@tilinta/contract/api/payments-endpoints"
import type { PayerDataProblem, PayerField } from "@tilinta/contract/vocabulary/payer-data"
import { formatDateTime } from "#format/date.ts"

/** The little of a charge page that the payer's script reads, and so downloads. */
export interface PayablePage {
  id: string
  link: string
  title: string
  description: string
  amount: number
  isPaid: boolean
  isAnonymous: boolean
  /** What the form displays at first, in its order. */
  required: readonly PayerField[]
  /** Until when one can pay, in words: the browser's own formatting would cost a slow phone dearly. */
  until: string | null
  seller: string
}

/** What stands in the page beside the HTML: a form that came back by a plain post, or the Pix that it made. */
export interface CheckoutData extends PayablePage {
  problem?: PayerDataProblem | null
  failure?: string | null
  pix?: PixPaymentView
}

export function payablePage(view: PublicChargePageView): PayablePage {
  const { requireName, requireEmail, requireCpf, requirePhone } = view.customerInfo
  const isAnonymous = view.pixConfig.allowAnonymous
  const required: (PayerField | false)[] = [
    requireName && "name",
    requireEmail && "email",
    requireCpf && "cpf",
    requirePhone && "phone",
  ]
  return {
    id: view._id,
    link: view.uniqueLink,
    title: view.title,
    description: view.description,
    amount: view.amount,
    isPaid: view.status === "completed",
    isAnonymous,
    required: isAnonymous ? [] : required.filter((field) => field !== false),
    until: view.expiresAt && formatDateTime(view.expiresAt),
    seller: view.seller.name,
  }
}
