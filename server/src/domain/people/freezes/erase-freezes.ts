import type { Tx } from "#db/transaction"
import { deleteLinksOf, eraseAddressesOf } from "./freezes-repository.ts"

/** For an account that is deleted: that it was frozen stays, from where doesn't. */
export async function eraseFreezes(tx: Tx, userId: string): Promise<void> {
  await deleteLinksOf(tx, userId)
  await eraseAddressesOf(tx, userId)
}
