import type { Tx } from "#db/transaction"
import { deleteAllOf } from "./destinations-repository.ts"

/** For an account that is deleted. What was paid says itself where it went. */
export async function eraseDestinations(tx: Tx, sellerId: string): Promise<void> {
  await deleteAllOf(tx, sellerId)
}
