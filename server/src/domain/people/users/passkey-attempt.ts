import { createHash } from "node:crypto"
import type { PasskeyAssertion } from "@tilinta/contract/api/passkeys-endpoints"
import { networkOf } from "#kit/client-network"
import type { LoginAttempt } from "./known-device.ts"

/**
 * Failures are counted for the passkey instead of its account: nobody can guess a signature, and whoever guesses passwords
 * must not keep the owner's passkey out.
 */
export function attemptByPasskey({ id }: PasskeyAssertion, address: string): LoginAttempt {
  const name = createHash("sha256").update(id).digest("base64url")
  return { accountKey: `passkey:${name}`, address: networkOf(address), from: address }
}
