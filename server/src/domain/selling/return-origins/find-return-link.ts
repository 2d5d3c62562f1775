import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import type { SecretKeys } from "#kit/secret-box"
import { signedLink } from "./return-link.ts"
import { findOriginsOf } from "./return-origins-repository.ts"
import { openSigningKey } from "./signing-key-box.ts"

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
