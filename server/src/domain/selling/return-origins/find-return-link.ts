import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { signedLink } from "./return-link.ts"
import { findOriginsOf } from "./return-origins-repository.ts"

/** The status is that of a charge that was paid. */
interface PaidOrder {
  sellerId: string
  transactionId: string
  status: PayerStatus
  externalReference: string | null
  returnUrl: string
}

/** Null once the seller has removed the origin: an address stored earlier leads nowhere then. */
export async function findReturnLink(
  { db, clock }: { db: Db; clock: Clock },
  { sellerId, transactionId, status, externalReference, returnUrl }: PaidOrder,
): Promise<string | null> {
  const { origins, signingKey } = await findOriginsOf(db, sellerId)
  if (signingKey === null || !origins.includes(new URL(returnUrl).origin)) return null
  const t = Math.floor(clock.now().getTime() / 1000)
  return signedLink(returnUrl, { reference: externalReference ?? "", transactionId, status, t }, signingKey)
}
