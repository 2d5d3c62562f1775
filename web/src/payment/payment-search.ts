import { textOf } from "#ui/list-search.ts"

interface PaymentSearch {
  transactionId?: string | undefined
  /** The payer's token. */
  k?: string | undefined
}

/** Reads only the id and the token from the address; nothing else is ever shown. */
export function paymentSearch({ transactionId, k }: Record<string, unknown>): PaymentSearch {
  return { transactionId: textOf(transactionId), k: textOf(k) }
}
