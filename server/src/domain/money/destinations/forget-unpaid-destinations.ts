import type { Tx } from "#db/transaction"
import { deleteUnpaid } from "./destinations-repository.ts"

/** After a complaint of the owner's, a place where nothing ever arrived is new again. */
export async function forgetUnpaidDestinations(tx: Tx, sellerId: string): Promise<void> {
  await deleteUnpaid(tx, sellerId)
}
