import type { Tx } from "#db/transaction"
import { lockChargePages } from "./charge-pages-repository.ts"
import { type HeldPage, holdPagesToCharge } from "./pages-to-charge-repository.ts"

export type { HeldPage } from "./pages-to-charge-repository.ts"

/** The pages as they are until the end of the transaction; others may hold them too, but nobody can change them. */
export async function holdChargePagesForCharges(tx: Tx, ids: readonly string[]): Promise<Map<string, HeldPage>> {
  return new Map((await holdPagesToCharge(tx, ids)).map((page) => [page.id, page]))
}

/** Before their charges are changed, in the order that every writer keeps. */
export async function lockPagesOfCharges(tx: Tx, ids: string[]): Promise<void> {
  await lockChargePages(tx, ids)
}
