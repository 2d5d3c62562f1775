import type { Db } from "#db/transaction"
import { insertInboxMessage } from "./psp-inbox-repository.ts"

/** Durable when it returns; only then the provider may hear 200. */
export async function storeWebhook(db: Db, { provider, body }: { provider: string; body: Buffer }): Promise<void> {
  await db.transaction().execute((tx) => insertInboxMessage(tx, provider, body))
}
