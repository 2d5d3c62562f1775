import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { insertInboxMessage } from "./psp-inbox-repository.ts"

/** Durable when it returns; only then the provider may hear 200. */
export async function storeWebhook(
  { db, clock }: { db: Db; clock: Clock },
  { provider, body }: { provider: string; body: Buffer },
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => insertInboxMessage(tx, { provider, body, now }))
}
