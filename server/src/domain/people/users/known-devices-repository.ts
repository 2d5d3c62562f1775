import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

export async function existsKnownDevice(db: Db, emailKey: string, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom("known_devices")
    .innerJoin("users", "users.id", "known_devices.user_id")
    .where("known_devices.token_hash", "=", tokenHash)
    .where("users.email_key", "=", emailKey)
    .select("users.id")
    .executeTakeFirst()
  return row !== undefined
}

export async function existsDeviceOf(tx: Tx, userId: string): Promise<boolean> {
  const device = tx.selectFrom("known_devices").select("user_id").where("user_id", "=", userId)
  return (await device.limit(1).executeTakeFirst()) !== undefined
}

export async function insertKnownDevice(tx: Tx, userId: string, tokenHash: Buffer, now: Date): Promise<void> {
  await tx
    .insertInto("known_devices")
    .values({ token_hash: tokenHash, user_id: userId, created_at: now } satisfies NewRow<"known_devices">)
    .execute()
}

/** Deletes all but the user's newest. */
export async function deleteOldestDevicesOf(tx: Tx, userId: string, kept: number): Promise<void> {
  const oldest = tx
    .selectFrom("known_devices")
    .select("token_hash")
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .offset(kept)
  await tx.deleteFrom("known_devices").where("token_hash", "in", oldest).execute()
}

export async function deleteDevicesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("known_devices").where("user_id", "=", userId).execute()
}
