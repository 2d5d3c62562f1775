import { textOf } from "#ui/list-search.ts"

export interface PaymentSearch {
  transactionId?: string | undefined
}

/** The id alone is read from the address; whatever else stands there is never shown. */
export function paymentSearch(raw: Record<string, unknown>): PaymentSearch {
  return { transactionId: textOf(raw.transactionId) }
}
