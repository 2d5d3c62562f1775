import { createHash, randomBytes } from "node:crypto"

/** 256 random bits: whoever holds it is the user, so only its hash is stored. */
export function newSessionToken(): string {
  return randomBytes(32).toString("base64url")
}

export function isSessionToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

export function hashOfToken(token: string): Buffer {
  return createHash("sha256").update(token).digest()
}
