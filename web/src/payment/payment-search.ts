import { textOf } from "#ui/list-search.ts"

interface PaymentSearch {
  transactionId?: string | undefined
}

/** Reads only the id from the address; nothing else there is ever shown. */
export function paymentSearch(raw: Record<string, unknown>): PaymentSearch {
  return { transactionId: textOf(raw.transactionId) }
}
