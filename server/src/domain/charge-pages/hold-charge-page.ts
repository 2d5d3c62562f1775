import type { Tx } from "#db/transaction"
import type { ChargePage } from "./charge-page.ts"
import { holdChargePage, lockChargePages } from "./charge-pages-repository.ts"

/** The page as it is until the end of the transaction; others may hold it too, but nobody can change it. */
export async function holdChargePageForCharge(tx: Tx, id: string): Promise<ChargePage | null> {
  return holdChargePage(tx, id)
}

/** Before their charges are changed, in the order that every writer keeps. */
export async function lockPagesOfCharges(tx: Tx, ids: string[]): Promise<void> {
  await lockChargePages(tx, ids)
}
