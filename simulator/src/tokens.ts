import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

export const scopes = [
  "cob.write",
  "cob.read",
  "pix.write",
  "pix.read",
  "webhook.read",
  "webhook.write",
  "pix.send",
  "gn.pix.send.read",
] as const

export type Scope = (typeof scopes)[number]

export const tokenLifetimeSeconds = 3600

export type Tokens = {
  issue(granted: Scope[]): string
  /** Undefined when the token is unknown or has expired. */
  scopesOf(token: string): Scope[] | undefined
}

/** In memory: a bank that restarts forgets its tokens, and clients ask for new ones. */
export function createTokens(): Tokens {
  const issued = new Map<string, { granted: Scope[]; expiresAt: number }>()
  return {
    issue(granted) {
      const now = Date.now()
      for (const [token, { expiresAt }] of issued) {
        if (expiresAt > now) break
        issued.delete(token)
      }
      const token = randomBytes(32).toString("base64url")
      issued.set(token, { granted, expiresAt: now + tokenLifetimeSeconds * 1000 })
      return token
    },
    scopesOf(token) {
      const found = issued.get(token)
      return found !== undefined && found.expiresAt > Date.now() ? found.granted : undefined
    },
  }
}

export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right))
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}
