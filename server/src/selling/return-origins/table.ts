import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { Sealed } from "#kit/secrets"

interface SealedKey {
  sellerId: string
  sealed: Sealed
}

interface StoredOrigins extends SealedKey {
  origins: string[]
}

const columns = ["seller_id as sellerId", "origins", "key_id as keyId", "sealed_key as box"] as const

interface Row {
  sellerId: string
  origins: string[]
  keyId: string
  box: Buffer
}

function toStored({ keyId, box, ...row }: Row): StoredOrigins {
  return { ...row, sealed: { keyId, box } }
}

export async function findOriginsOf(db: Db, sellerId: string): Promise<StoredOrigins | null> {
  const row = await db.selectFrom("return_origins").select(columns).where("seller_id", "=", sellerId).executeTakeFirst()
  return row === undefined ? null : toStored(row)
}

/** Serialises one seller's changes. The first one inserts the row, under the new key. */
export async function lockOriginsOf(
  tx: Tx,
  { sellerId, sealed, now }: SealedKey & { now: Date },
): Promise<StoredOrigins & { isNew: boolean }> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("return_origins")
    .values({
      seller_id: sellerId,
      origins: [],
      key_id: sealed.keyId,
      sealed_key: sealed.box,
      updated_at: now,
    } satisfies NewRow<"return_origins">)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  const own = tx.selectFrom("return_origins").select(columns).where("seller_id", "=", sellerId)
  return { ...toStored(await own.forUpdate().executeTakeFirstOrThrow()), isNew: numInsertedOrUpdatedRows === 1n }
}

/** The caller must have locked the row. */
export async function updateOrigins(tx: Tx, { sellerId, origins, sealed }: StoredOrigins, now: Date): Promise<void> {
  await tx
    .updateTable("return_origins")
    .set({ origins, key_id: sealed.keyId, sealed_key: sealed.box, updated_at: now })
    .where("seller_id", "=", sellerId)
    .execute()
}

/** Those that another key sealed, locked. */
export async function lockSealedOtherwise(tx: Tx, keyId: string): Promise<SealedKey[]> {
  const others = tx.selectFrom("return_origins").select(columns).where("key_id", "!=", keyId)
  return (await others.orderBy("seller_id").forUpdate().execute()).map(toStored)
}

export async function saveResealed(tx: Tx, { sellerId, sealed }: SealedKey): Promise<void> {
  await tx
    .updateTable("return_origins")
    .set({ key_id: sealed.keyId, sealed_key: sealed.box })
    .where("seller_id", "=", sellerId)
    .execute()
}

export async function clearOriginsOf(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await tx
    .updateTable("return_origins")
    .set({ origins: [], updated_at: now })
    .where("seller_id", "=", sellerId)
    .execute()
}
