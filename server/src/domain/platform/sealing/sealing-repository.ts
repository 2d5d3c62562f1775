import { sql } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

/** The keys of all that is sealed, wherever it stands. */
export async function findSealingKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ keyId: string }>`
    select key_id as "keyId" from totp_factors
    union
    select key_id from signing_keys
    union
    select key_id from return_origins
    union
    select key_id from webhook_endpoints where key_id is not null
    union
    select former_key_id from webhook_endpoints where former_key_id is not null`.execute(db)
  return rows.map(({ keyId }) => keyId)
}

/** Locked, so that a rotation waits for whoever seals with the key. */
export async function holdSealingKey(tx: Tx): Promise<string | undefined> {
  return (await tx.selectFrom("secrets_key").select("key_id").forShare().executeTakeFirst())?.key_id
}

export async function insertSealingKeyOnce(tx: Tx, keyId: string, now: Date): Promise<void> {
  await tx
    .insertInto("secrets_key")
    .values({ key_id: keyId, chosen_at: now } satisfies NewRow<"secrets_key">)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function replaceSealingKey(tx: Tx, keyId: string, now: Date): Promise<void> {
  await tx.updateTable("secrets_key").set({ key_id: keyId, chosen_at: now }).execute()
}
