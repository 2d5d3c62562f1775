import type { Tx } from "#db/transaction"
import { lockChargePages } from "./charge-pages-repository.ts"

/** Call it before the pages' charges are changed; locks in the order of ids, like every writer. */
export async function lockPagesOfCharges(tx: Tx, ids: string[]): Promise<void> {
  await lockChargePages(tx, ids)
}
