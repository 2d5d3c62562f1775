import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { FastifyRequest } from "fastify"
import type { SettingsBook } from "./payout-books.ts"

export const scopes = [
  "cob.write",
  "cob.read",
  "cobv.write",
  "cobv.read",
  "rec.write",
  "rec.read",
  "solicrec.write",
  "solicrec.read",
  "cobr.write",
  "cobr.read",
  "payloadlocationrec.write",
  "payloadlocationrec.read",
  "webhookrec.write",
  "webhookrec.read",
  "webhookcobr.write",
  "webhookcobr.read",
  "pix.write",
  "pix.read",
  "webhook.read",
  "webhook.write",
  "pix.send",
  "gn.pix.send.read",
  "gn.balance.read",
  "gn.infractions.read",
  "gn.infractions.write",
] as const

export type Scope = (typeof scopes)[number]

export const tokenLifetimeSeconds = 3600

export type Tokens = {
  issue(granted: Scope[], lifetimeSeconds?: number): string
  revoke(token: string): void
  /** Undefined when the token is unknown or has expired. */
  scopesOf(token: string): Scope[] | undefined
}

/** Kept in memory: a restart forgets the tokens, and clients request new ones. */
export function createTokens(clock: Pick<BankClock, "now">): Tokens {
  const issued = new Map<string, { granted: Scope[]; expiresAt: number }>()
  return {
    issue(granted, lifetimeSeconds = tokenLifetimeSeconds) {
      const now = clock.now()
      for (const [token, { expiresAt }] of issued) {
        if (expiresAt <= now) issued.delete(token)
      }
      const token = randomBytes(32).toString("base64url")
      issued.set(token, { granted, expiresAt: now + lifetimeSeconds * 1000 })
      return token
    },
    revoke: (token) => void issued.delete(token),
    scopesOf(token) {
      const found = issued.get(token)
      return found !== undefined && found.expiresAt > clock.now() ? found.granted : undefined
    },
  }
}

export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1]
}

export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right))
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}

export type BankClock = {
  now(): number
  /** Offset ahead of this machine's clock. */
  aheadMs(): number
  setAhead(aheadMs: number): void
}

/** The bank's own clock: a test moves it forward instead of waiting an hour. */
export function openBankClock(settings: SettingsBook, machineNow: () => number = Date.now): BankClock {
  let aheadMs = Number(settings.find("clockAheadMs") ?? 0)
  return {
    now: () => machineNow() + aheadMs,
    aheadMs: () => aheadMs,
    setAhead(next) {
      aheadMs = next
      settings.store("clockAheadMs", String(next))
    },
  }
}
