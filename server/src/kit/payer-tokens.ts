import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto"
import type { Protection } from "./protection.ts"

/** Secrets of payers, one for each charge: who holds it sees that payment's status and proof, and nothing else. */
export interface PayerTokens {
  of(chargeId: string): string
  /** Strict protection asks for the token; relaxed does without, and refuses a wrong one as well. */
  admits(chargeId: string, sent: unknown): boolean
}

const bytes = 16

/** The tokens are computed, not stored: a poll needs no lookup for them. */
export function createPayerTokens(key: Buffer, protection: Protection): PayerTokens {
  // Node makes a key object of a buffer at each call, which costs six times what the digest does.
  const secret = createSecretKey(key)
  const digestOf = (chargeId: string): Buffer =>
    createHmac("sha256", secret).update(chargeId).digest().subarray(0, bytes)

  return {
    of: (chargeId) => digestOf(chargeId).toString("base64url"),
    admits(chargeId, sent) {
      if (sent === undefined) return protection === "relaxed"
      if (typeof sent !== "string" || !/^[\w-]{22}$/.test(sent)) return false
      const given = Buffer.from(sent, "base64url")
      return timingSafeEqual(given, digestOf(chargeId))
    },
  }
}
