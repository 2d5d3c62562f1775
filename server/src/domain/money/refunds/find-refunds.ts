import type { Db } from "#db/transaction"
import type { Refund } from "./refund.ts"
import { findRefundRows } from "./refunds-repository.ts"

export async function findRefunds(db: Db, ids: readonly string[]): Promise<Refund[]> {
  return ids.length === 0 ? [] : findRefundRows(db, ids)
}
