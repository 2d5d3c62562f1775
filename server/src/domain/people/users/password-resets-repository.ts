import { sql } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

export async function insertResetRequest(tx: Tx, emailKey: string, requestedAt: Date): Promise<void> {
  await tx.insertInto("password_reset_requests").values({ email_key: emailKey, requested_at: requestedAt }).execute()
}

/** Deletes the requests; a rollback restores them. */
export async function takeResetRequests(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ email_key: string }>`
    delete from password_reset_requests where id in (
      select id from password_reset_requests order by id limit ${limit} for update skip locked
    ) returning email_key`.execute(tx)
  return rows.map((row) => row.email_key)
}

export async function countResetsSince(db: Db, userId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom("password_resets")
    .select((rows) => rows.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertReset(
  tx: Tx,
  reset: { tokenHash: Buffer; userId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto("password_resets")
    .values({
      token_hash: reset.tokenHash,
      user_id: reset.userId,
      created_at: reset.createdAt,
      expires_at: reset.expiresAt,
      ended_at: null,
    } satisfies NewRow<"password_resets">)
    .execute()
}

/** The user of a link that still works. */
export async function findLiveReset(db: Db, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom("password_resets")
    .select("user_id")
    .where("token_hash", "=", tokenHash)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst()
  return row?.user_id
}

export async function endResetsOf(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable("password_resets")
    .set({ ended_at: now })
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute()
}

/** Skips locked rows; they are deleted by the next run. */
export async function deleteResetsExpiredBefore(tx: Tx, moment: Date): Promise<void> {
  const old = tx.selectFrom("password_resets").select("token_hash").where("expires_at", "<", moment)
  await tx.deleteFrom("password_resets").where("token_hash", "in", old.forUpdate().skipLocked()).execute()
}

export async function deleteResetsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("password_resets").where("user_id", "=", userId).execute()
}
