import type { Tx } from "#db/transaction"
import { clearOriginsOf } from "./return-origins-repository.ts"

/** For an account that is deleted: its payers are sent nowhere. */
export async function eraseReturnOrigins(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await clearOriginsOf(tx, sellerId, now)
}
