import type { Tx } from "#db/transaction"

interface Key {
  ownerId: string
  key: string
  requestHash: Buffer
  resourceId: string
}

/** The row that stands after the call: ours, or that of who was first. */
export async function insertKeyOnce(tx: Tx, key: Key): Promise<Pick<Key, "requestHash" | "resourceId">> {
  await tx
    .insertInto("idempotency_keys")
    .values({ owner_id: key.ownerId, key: key.key, request_hash: key.requestHash, resource_id: key.resourceId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom("idempotency_keys")
    .select(["request_hash", "resource_id"])
    .where("owner_id", "=", key.ownerId)
    .where("key", "=", key.key)
    .executeTakeFirstOrThrow()
  return { requestHash: row.request_hash, resourceId: row.resource_id }
}
