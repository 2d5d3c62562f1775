import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

export interface ReturnOrigins {
  origins: string[]
  /** Null until the first origin is allowed. */
  signingKey: string | null
}

interface StoredOrigins {
  sellerId: string
  origins: string[]
  signingKey: string
}

export async function findOriginsOf(db: Db, sellerId: string): Promise<ReturnOrigins> {
  const row = await db
    .selectFrom("return_origins")
    .select(["origins", "signing_key as signingKey"])
    .where("seller_id", "=", sellerId)
    .executeTakeFirst()
  return row ?? { origins: [], signingKey: null }
}

/** Serialises one seller's changes. The first one inserts the row, under the new key. */
export async function lockOriginsOf(tx: Tx, { sellerId, signingKey, now }: NewOrigins): Promise<StoredOrigins> {
  await tx
    .insertInto("return_origins")
    .values({
      seller_id: sellerId,
      origins: [],
      signing_key: signingKey,
      updated_at: now,
    } satisfies NewRow<"return_origins">)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom("return_origins")
    .select(["origins", "signing_key as signingKey"])
    .where("seller_id", "=", sellerId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { sellerId, ...row }
}

interface NewOrigins {
  sellerId: string
  signingKey: string
  now: Date
}

/** The caller must have locked the row. */
export async function updateOrigins(
  tx: Tx,
  { sellerId, origins, signingKey }: StoredOrigins,
  now: Date,
): Promise<void> {
  await tx
    .updateTable("return_origins")
    .set({ origins, signing_key: signingKey, updated_at: now })
    .where("seller_id", "=", sellerId)
    .execute()
}
