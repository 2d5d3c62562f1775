import { openSecret, type SecretKeys, sealSecret } from "#kit/secret-box"
import type { StoredTotp } from "./second-factors-repository.ts"

type Named = Pick<StoredTotp, "id" | "userId">

export function sealTotp(keys: SecretKeys, { id, userId }: Named, secret: string): StoredTotp {
  return { id, userId, ...sealSecret(keys, secret, contextOf({ id, userId })) }
}

export function openTotp(keys: SecretKeys, stored: StoredTotp): string {
  return openSecret(keys, stored, contextOf(stored))
}

/** Binds the box to its row and user. */
function contextOf({ id, userId }: Named): string {
  return `totp_factors:${userId}:${id}`
}
