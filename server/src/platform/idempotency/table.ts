import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"

/** Keys belong to one user: the same key of another user is a different one. */
interface Claim {
  ownerId: string
  key: string
  requestHash: Buffer
  resourceId: string
}

/** The row after the call: ours, or the one inserted first. */
export async function insertKeyOnce(tx: Tx, key: Claim): Promise<Pick<Claim, "requestHash" | "resourceId">> {
  await tx
    .insertInto("idempotency_keys")
    .values({
      owner_id: key.ownerId,
      key: key.key,
      request_hash: key.requestHash,
      resource_id: key.resourceId,
    } satisfies NewRow<"idempotency_keys", "created_at">)
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

/** A concurrent one is waited for. */
export async function updateResource(
  tx: Tx,
  { ownerId, key, resourceId }: Omit<Claim, "requestHash">,
  from: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("idempotency_keys")
    .set({ resource_id: resourceId })
    .where("owner_id", "=", ownerId)
    .where("key", "=", key)
    .where("resource_id", "=", from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function existsKey(tx: Tx, { ownerId, key }: Pick<Claim, "ownerId" | "key">): Promise<boolean> {
  const query = tx.selectFrom("idempotency_keys").select("key").where("owner_id", "=", ownerId)
  return (await query.where("key", "=", key).executeTakeFirst()) !== undefined
}
