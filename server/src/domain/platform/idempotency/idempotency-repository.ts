import { sql } from "kysely"
import { arrayLiteral } from "#db/array-literal"
import type { Tx } from "#db/transaction"

/** Keys belong to one user: the same key of another user is a different one. */
export interface Claim {
  ownerId: string
  key: string
  requestHash: Buffer
  resourceId: string
}

/** The row after the call: ours, or the one inserted first. */
export async function insertKeyOnce(tx: Tx, key: Claim): Promise<Pick<Claim, "requestHash" | "resourceId">> {
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

export async function findKeys(tx: Tx, keys: readonly Pick<Claim, "ownerId" | "key">[]): Promise<Claim[]> {
  const { rows } = await sql<Claim>`/* prepared find-keys */
    select owner_id as "ownerId", key, request_hash as "requestHash", resource_id as "resourceId"
    from idempotency_keys
    where (owner_id, key) in (
      select * from unnest(
        ${arrayLiteral(keys.map(({ ownerId }) => ownerId))}::uuid[], ${arrayLiteral(keys.map(({ key }) => key))}::text[]
      )
    )`.execute(tx)
  return rows
}

/** The number of new keys. Inserted in one order, so that two batches with the same keys can't deadlock. */
export async function insertKeys(tx: Tx, claims: readonly Claim[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`/* prepared insert-keys */
    insert into idempotency_keys (owner_id, key, request_hash, resource_id)
    select owner_id, key, decode(request_hash, 'hex'), resource_id
    from unnest(
      ${arrayLiteral(claims.map(({ ownerId }) => ownerId))}::uuid[],
      ${arrayLiteral(claims.map(({ key }) => key))}::text[],
      ${arrayLiteral(claims.map(({ requestHash }) => requestHash.toString("hex")))}::text[],
      ${arrayLiteral(claims.map(({ resourceId }) => resourceId))}::uuid[]
    ) claim (owner_id, key, request_hash, resource_id)
    order by owner_id, key
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows)
}
