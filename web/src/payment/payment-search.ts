import { textOf } from "#ui/list-search.ts"

interface PaymentSearch {
  transactionId?: string | undefined
  /** The payer's token. */
  k?: string | undefined
}

/** Reads only the id and the token from the address, where the checkout may write both as one; nothing else is ever shown. */
export function paymentSearch(raw: Record<string, unknown>): PaymentSearch {
  const [transactionId, k] = textOf(raw.transactionId)?.split("?k=") ?? []
  return { transactionId, k: k ?? textOf(raw.k) }
}
