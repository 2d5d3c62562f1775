import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { hasLiveDispute } from "./disputes-repository.ts"

/** Whether the bank may still take it, all or a part. */
export async function isDisputedPayment(db: Db, endToEndId: string): Promise<boolean> {
  return hasLiveDispute(db, endToEndId)
}

/** What the bank may take is neither sent back nor credited meanwhile. Call it under the payment's locks. */
export async function refuseDisputed(db: Db, endToEndId: string): Promise<void> {
  if (await isDisputedPayment(db, endToEndId)) throw new DomainError("payment_disputed")
}
