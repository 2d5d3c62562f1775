import { detailOf, isWorthRetrying } from "#api/api-error.ts"

/** Nobody knows whether it arrived, and nobody needs to: it is recognised when it comes again. */
export function safeRetryHint(error: unknown): string | undefined {
  if (!isWorthRetrying(error)) return undefined
  const again = "Pode tentar de novo: o mesmo pedido nunca é feito duas vezes."
  const detail = detailOf(error)
  return detail === undefined ? again : `${detail} ${again}`
}
