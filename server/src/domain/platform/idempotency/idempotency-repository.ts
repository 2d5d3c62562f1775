import { prepared } from "#db/prepared"
import type { NewRow } from "#db/row-types"
import { bytea, rowsOf, text, uuid } from "#db/rows-of"
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

type Key = Pick<Claim, "ownerId" | "key">

const askedKeys = rowsOf<Key, Pick<NewRow<"idempotency_keys">, "owner_id" | "key">>("asked", {
  owner_id: uuid(({ ownerId }) => ownerId),
  key: text(({ key }) => key),
})

const newKeys = rowsOf<Claim, NewRow<"idempotency_keys", "created_at">>("claim", {
  owner_id: uuid(({ ownerId }) => ownerId),
  key: text(({ key }) => key),
  request_hash: bytea(({ requestHash }) => requestHash),
  resource_id: uuid(({ resourceId }) => resourceId),
})

export async function findKeys(tx: Tx, keys: readonly Key[]): Promise<Claim[]> {
  const { rows } = await prepared<Claim>("find-keys")`
    select owner_id as "ownerId", key, request_hash as "requestHash", resource_id as "resourceId"
    from idempotency_keys
    where (owner_id, key) in (select * from ${askedKeys.of(keys)})`.execute(tx)
  return rows
}

/** The number of new keys. Inserted in one order, so that two batches with the same keys can't deadlock. */
export async function insertKeys(tx: Tx, claims: readonly Claim[]): Promise<number> {
  const { numAffectedRows = 0n } = await prepared("insert-keys")`
    insert into idempotency_keys (${newKeys.columns})
    select ${newKeys.columns} from ${newKeys.of(claims)}
    order by owner_id, key
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows)
}
