import { DomainError } from "#kit/domain-error"
import type { PayerTokens } from "#kit/payer-tokens"

/** A payment whose token is missing or wrong counts as unknown. @throws payment_not_found */
export function requirePayer(tokens: PayerTokens, transactionId: string, sent: unknown): void {
  if (!tokens.admits(transactionId, sent)) throw new DomainError("payment_not_found")
}
