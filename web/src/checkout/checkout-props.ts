import type { PublicChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"

export interface CheckoutProps {
  platformName: string
  supportEmail: string
  /** Where this installation lives, such as https://pagar.exemplo.com.br. */
  origin: string
  serverTime: string
  /** Null when nobody can pay here: unknown, expired, cancelled or deleted. */
  page: PublicChargePageView | null
}
