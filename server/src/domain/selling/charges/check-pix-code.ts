import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Cents } from "@tilinta/contract/vocabulary/money"

/**
 * The problem of a provider's code; null without one. Our own decoder reads it before anybody sees it: a wrong CRC,
 * kind or amount is refused.
 */
export function problemOfPixCode(pixCode: string, amountCents: Cents): string | null {
  const decoded = decodeBrCode(pixCode)
  if (!decoded.valid) return decoded.error
  if (decoded.code.url === undefined) return "not a dynamic code"
  const asked = decoded.code.amountCents
  // Zero means that the amount is in the payload behind the URL.
  return asked === undefined || asked === 0 || asked === amountCents ? null : "the code asks for another amount"
}

const decorative: ReadonlySet<string> = new Set(["name-chars", "name-length", "city-chars", "city-length"])

/** Deviations in the receiver's name and city, which payers' banks ignore: a reason to warn, not to refuse. */
export function oddNamesOf(pixCode: string): string[] {
  const decoded = decodeBrCode(pixCode)
  return decoded.valid ? decoded.code.lint.filter((lint) => decorative.has(lint)) : []
}

/** The receiver's name in the code; empty when unreadable. */
export function receiverNameOf(pixCode: string): string {
  const decoded = decodeBrCode(pixCode)
  return decoded.valid ? decoded.code.merchantName : ""
}
