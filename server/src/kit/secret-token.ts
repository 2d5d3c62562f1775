import { createHash, randomBytes } from "node:crypto"

/** 256 random bits that open something: whoever holds them is let in, so only their hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url")
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

export function hashOfToken(token: string): Buffer {
  return createHash("sha256").update(token).digest()
}
