import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { hasLiveDispute } from "./disputes-repository.ts"

/** True while the bank may still take all or part of it. */
export async function isDisputedPayment(db: Db, endToEndId: string): Promise<boolean> {
  return hasLiveDispute(db, endToEndId)
}

/** Money that the bank may take must be neither refunded nor credited. Call it under the payment's locks. */
export async function refuseDisputed(db: Db, endToEndId: string): Promise<void> {
  if (await isDisputedPayment(db, endToEndId)) throw new DomainError("payment_disputed")
}
