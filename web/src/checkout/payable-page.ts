import type { PublicChargePageView } from "@tilinta/contract/charge-pages"
import type { PublicShopView } from "@tilinta/contract/fields"
import type { FormProblem } from "@tilinta/contract/pages/checkout-props"
import type { PixPaymentView } from "@tilinta/contract/payments"
import { MAX_AMOUNT_CENTS, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { type PayerField, requiredFields } from "@tilinta/contract/vocabulary/payer-data"
import { shopContact } from "@tilinta/contract/vocabulary/shops"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"

/** Set by the build. */
declare const FIXED_AMOUNT: boolean

/** The script of most pages leaves out what it takes to choose an amount. */
export const isFixed: boolean = typeof FIXED_AMOUNT !== "undefined" && FIXED_AMOUNT

/** The part of a charge page that the payer's script reads. */
export interface PayablePage {
  id: string
  title: string
  description: string
  /** Null where the payer chooses it. */
  amount: number | null
  /** The amount's limits in words, and what the seller suggests. */
  choice?: { hint: string; suggestions: readonly number[] }
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
  until?: string
}

/** The link to ask the shop. */
export interface Contact {
  href: string
  label: string
}

/** The JSON that comes with the HTML: also the result of a form that was sent without script. */
export interface CheckoutData extends PayablePage {
  problem?: FormProblem | null
  failure?: string | null
  pix?: PixPaymentView
}

export function payablePage(view: PublicChargePageView): PayablePage {
  const isAnonymous = view.pixConfig.allowAnonymous
  return {
    id: view._id,
    title: view.title,
    // A page named by its description says it once.
    description: view.description === view.title ? "" : view.description,
    amount: view.amount,
    ...(view.amount === null && { choice: { hint: limitsOf(view), suggestions: view.suggestions } }),
    ...(view.status === "completed" && { isPaid: true }),
    ...(isAnonymous && { isAnonymous }),
    required: isAnonymous ? [] : requiredFields(view.customerInfo),
    ...(view.expiresAt && { until: formatDateTime(view.expiresAt) }),
  }
}

function limitsOf({ minAmount, maxAmount }: PublicChargePageView): string {
  const least = formatReais(minAmount ?? 0)
  return maxAmount === null || maxAmount === reaisFromCents(MAX_AMOUNT_CENTS)
    ? `A partir de ${least}`
    : `De ${least} a ${formatReais(maxAmount)}`
}

/** The name of the shop, or else of the person. */
export function sellerOf({ shop, seller }: PublicChargePageView): string {
  return shop?.name ?? seller.name
}

/** Undefined without a shop that says where to ask. */
export function contactOf(shop: PublicShopView | null | undefined, title: string | null): Contact | undefined {
  const href = shop && shopContact(shop, title)
  return href ? { href, label: `Falar com ${shop.name}` } : undefined
}
