import type { Tx } from "#db/transaction"
import { eraseEndpointsOf } from "./webhooks-repository.ts"

/** For an account that is deleted: a job deletes the deliveries, and then the rows. */
export async function eraseWebhooks(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await eraseEndpointsOf(tx, sellerId, now)
}
