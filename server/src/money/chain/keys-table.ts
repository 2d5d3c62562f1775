import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { Sealed } from "#kit/secrets"

export type SigningPurpose = "checkpoint" | "receipt"

export interface StoredKey {
  id: string
  purpose: SigningPurpose
  /** 32 bytes. */
  publicKey: Buffer
  sealed: Sealed
  createdAt: Date
  retiredAt: Date | null
}

const columns = [
  "id",
  "purpose",
  "public_key as publicKey",
  "key_id as keyId",
  "sealed_key as box",
  "created_at as createdAt",
  "retired_at as retiredAt",
] as const

type Row = Omit<StoredKey, "sealed"> & Sealed

function toStored({ keyId, box, ...row }: Row): StoredKey {
  return { ...row, sealed: { keyId, box } }
}

/** The newest first. */
export async function findKeys(db: Db, purpose: SigningPurpose): Promise<StoredKey[]> {
  const keys = db.selectFrom("signing_keys").select(columns).where("purpose", "=", purpose)
  return (await keys.orderBy("created_at", "desc").orderBy("id").execute()).map(toStored)
}

/** False where another node's key of this purpose signs already. */
export async function insertKeyOnce(tx: Tx, key: StoredKey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("signing_keys")
    .values({
      id: key.id,
      purpose: key.purpose,
      public_key: key.publicKey,
      key_id: key.sealed.keyId,
      sealed_key: key.sealed.box,
      created_at: key.createdAt,
      retired_at: null,
    } satisfies NewRow<"signing_keys">)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Two rotations at once come one after the other. */
export async function retireKeys(tx: Tx, purpose: SigningPurpose, now: Date): Promise<void> {
  await tx
    .updateTable("signing_keys")
    .set({ retired_at: now })
    .where("purpose", "=", purpose)
    .where("retired_at", "is", null)
    .execute()
}

/** Those that another key sealed, locked. */
export async function lockKeysSealedOtherwise(tx: Tx, keyId: string): Promise<StoredKey[]> {
  const others = tx.selectFrom("signing_keys").select(columns).where("key_id", "!=", keyId)
  return (await others.orderBy("id").forUpdate().execute()).map(toStored)
}

export async function saveResealed(tx: Tx, id: string, { keyId, box }: Sealed): Promise<void> {
  await tx.updateTable("signing_keys").set({ key_id: keyId, sealed_key: box }).where("id", "=", id).execute()
}
