import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

export async function insertConfirmation(
  tx: Tx,
  link: { tokenHash: Buffer; userId: string; emailKey: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto("email_confirmations")
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      email_key: link.emailKey,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    } satisfies NewRow<"email_confirmations">)
    .execute()
}

/** The times of a user's links since then, oldest first. */
export async function findConfirmationTimes(db: Db, userId: string, since: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom("email_confirmations")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("created_at", ">", since)
    .orderBy("created_at")
    .execute()
  return rows.map((row) => row.created_at)
}

/** The user of a link that still works, and the address that it proves. */
export async function findLiveConfirmation(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<{ userId: string; emailKey: string } | undefined> {
  return db
    .selectFrom("email_confirmations")
    .select(["user_id as userId", "email_key as emailKey"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

export async function deleteConfirmationsExpiredBefore(tx: Tx, moment: Date): Promise<void> {
  const old = tx.selectFrom("email_confirmations").select("token_hash").where("expires_at", "<", moment)
  await tx.deleteFrom("email_confirmations").where("token_hash", "in", old).execute()
}

export async function deleteConfirmationsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("email_confirmations").where("user_id", "=", userId).execute()
}
