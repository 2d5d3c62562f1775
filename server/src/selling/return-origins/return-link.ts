import { createHmac } from "node:crypto"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule } from "#kit/errors"
import type { SecretKeys } from "#kit/secrets"
import { openSigningKey } from "./origins.ts"
import { findOriginsOf } from "./table.ts"

/** The status is that of a charge that was paid. */
interface PaidOrder {
  sellerId: string
  transactionId: string
  status: PayerStatus
  externalReference: string | null
  returnUrl: string
}

export interface ReturnDeps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

/** Null once the seller has removed the origin: an address stored earlier leads nowhere then. */
export async function findReturnLink(
  { db, clock, secretKeys }: ReturnDeps,
  { sellerId, transactionId, status, externalReference, returnUrl }: PaidOrder,
): Promise<string | null> {
  const stored = await findOriginsOf(db, sellerId)
  if (stored?.origins.includes(new URL(returnUrl).origin) !== true) return null
  const signingKey = openSigningKey(secretKeys, sellerId, stored.sealed)
  const t = Math.floor(clock.now().getTime() / 1000)
  return signedLink(returnUrl, { reference: externalReference ?? "", transactionId, status, t }, signingKey)
}

/** @throws validation_failed */
export async function requireAllowedReturn(db: Db, sellerId: string, returnUrl: string): Promise<void> {
  const origins = (await findOriginsOf(db, sellerId))?.origins ?? []
  const { origin } = new URL(returnUrl)
  if (origins.includes(origin)) return
  throw brokenRule(
    "returnUrl",
    `O site ${origin} não está na sua lista de retorno à loja: inclua o site antes de usar este endereço.`,
  )
}

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
function signedLink(returnUrl: string, facts: ReturnFacts, signingKey: string): string {
  const signature = createHmac("sha256", signingKey).update(canonicalText(facts)).digest("hex")
  const url = new URL(returnUrl)
  for (const [name, value] of Object.entries({ ...facts, signature })) url.searchParams.set(name, String(value))
  return url.href
}
