import { createHash, randomBytes } from "node:crypto"

/** A 256-bit bearer secret: its holder is let in, so only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url")
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

export function hashOfToken(token: string): Buffer {
  return createHash("sha256").update(token).digest()
}
