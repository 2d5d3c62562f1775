import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { randomAlphanumeric } from "#kit/ids"
import { invariant } from "#kit/invariant"
import { findConnection, insertConnectionOnce, updateReceiptsSeenUntil } from "./psp-inbox-repository.ts"

export interface PspConnection {
  /** Part of the webhook's address: who doesn't know it can't even knock. */
  webhookSecret: string
}

/** Made at the first start with this provider, the same ever after, whichever node asks. */
export async function ensurePspConnection(
  { db, clock }: { db: Db; clock: Clock },
  provider: string,
): Promise<PspConnection> {
  const now = clock.now()
  const fresh = { provider, webhookSecret: randomAlphanumeric(32), receiptsSeenUntil: secondsAfter(now, -86_400) }
  await db.transaction().execute((tx) => insertConnectionOnce(tx, fresh))
  const connection = await findConnection(db, provider)
  invariant(connection !== undefined, `no connection of ${provider}`)
  return { webhookSecret: connection.webhook_secret }
}

export async function readReceiptsSeenUntil(db: Db, provider: string): Promise<Date> {
  const connection = await findConnection(db, provider)
  invariant(connection !== undefined, `no connection of ${provider}`)
  return connection.receipts_seen_until
}

export async function saveReceiptsSeenUntil(tx: Tx, provider: string, until: Date): Promise<void> {
  await updateReceiptsSeenUntil(tx, provider, until)
}
