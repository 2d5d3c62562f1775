import { createHmac } from "node:crypto"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"

interface ReturnFacts {
  /** Empty without one. */
  reference: string
  transactionId: string
  status: PayerStatus
  /** The time of signing, in Unix seconds. */
  t: number
}

/** The reference stands last, as it alone may contain dots. */
function canonicalText({ t, transactionId, status, reference }: ReturnFacts): string {
  return `${t}.${transactionId}.${status}.${reference}`
}

/** The address with our parameters, in place of any of the same name. */
export function signedLink(returnUrl: string, facts: ReturnFacts, signingKey: string): string {
  const signature = createHmac("sha256", signingKey).update(canonicalText(facts)).digest("hex")
  const url = new URL(returnUrl)
  for (const [name, value] of Object.entries({ ...facts, signature })) url.searchParams.set(name, String(value))
  return url.href
}
