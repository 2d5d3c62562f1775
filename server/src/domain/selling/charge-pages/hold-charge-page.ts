import type { Tx } from "#db/transaction"
import { lockChargePages } from "./charge-pages-repository.ts"

/** Before their charges are changed, in the order that every writer keeps. */
export async function lockPagesOfCharges(tx: Tx, ids: string[]): Promise<void> {
  await lockChargePages(tx, ids)
}
