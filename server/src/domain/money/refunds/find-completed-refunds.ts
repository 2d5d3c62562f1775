import type { Db } from "#db/transaction"
import { findCompletedNames } from "./refunds-repository.ts"

/** Completed refunds of these payments, each as `payment/refund`. */
export async function findCompletedRefunds(db: Db, endToEndIds: string[]): Promise<Set<string>> {
  const names = await findCompletedNames(db, [...new Set(endToEndIds)])
  return new Set(names.map(({ endToEndId, pspRefundId }) => `${endToEndId}/${pspRefundId}`))
}
