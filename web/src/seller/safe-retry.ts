import { detailOf, isWorthRetrying } from "#api/api-error.ts"

/** A request whose outcome is unknown may be sent again: its idempotency key prevents a second one. */
export function safeRetryHint(error: unknown): string | undefined {
  if (!isWorthRetrying(error)) return undefined
  const again = "Pode tentar de novo: o mesmo pedido nunca é feito duas vezes."
  const detail = detailOf(error)
  return detail === undefined ? again : `${detail} ${again}`
}
