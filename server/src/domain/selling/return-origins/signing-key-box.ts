import { openSecret, type Sealed, type SecretKeys, sealSecret } from "#kit/secret-box"

export function sealSigningKey(keys: SecretKeys, sellerId: string, signingKey: string): Sealed {
  return sealSecret(keys, signingKey, contextOf(sellerId))
}

export function openSigningKey(keys: SecretKeys, sellerId: string, sealed: Sealed): string {
  return openSecret(keys, sealed, contextOf(sellerId))
}

/** Binds the box to its row. */
function contextOf(sellerId: string): string {
  return `return_origins:${sellerId}`
}
