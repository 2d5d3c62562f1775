import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Cents } from "#kit/money"
import { createRecentMap } from "#kit/recent-map"

type Decoded = ReturnType<typeof decodeBrCode>

/** Whoever checks a new code shows it a moment later. */
const lately = createRecentMap<string, Decoded>(512)

function decodedOnce(pixCode: string): Decoded {
  const known = lately.get(pixCode)
  if (known !== undefined) return known
  const decoded = decodeBrCode(pixCode)
  lately.set(pixCode, decoded)
  return decoded
}

/**
 * What is wrong with a provider's code, null when nothing is. Our own decoder reads it before anybody
 * sees it: a wrong sum, a wrong kind or a wrong value is refused.
 */
export function problemOfPixCode(pixCode: string, amountCents: Cents): string | null {
  const decoded = decodedOnce(pixCode)
  if (!decoded.valid) return decoded.error
  if (decoded.code.url === undefined) return "not a dynamic code"
  const asked = decoded.code.amountCents
  // Zero means that the amount stands in the payload behind the URL.
  return asked === undefined || asked === 0 || asked === amountCents ? null : "the code asks for another amount"
}

/** The name that stands in the code; empty when it can't be read. */
export function receiverNameOf(pixCode: string): string {
  const decoded = decodedOnce(pixCode)
  return decoded.valid ? decoded.code.merchantName : ""
}
