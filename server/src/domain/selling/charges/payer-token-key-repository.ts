import type { Db } from "#db/transaction"

/** The database's own key, made with it. */
export async function readPayerTokenKey(db: Db): Promise<Buffer> {
  return (await db.selectFrom("payer_token_key").select("key").executeTakeFirstOrThrow()).key
}
