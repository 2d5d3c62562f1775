import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

interface EmailChange {
  userId: string
  tokenHash: Buffer
  email: string
  askedBy: string
  createdAt: Date
  expiresAt: Date
}

/** Replaces an earlier one of the same user, whose link then stops working. */
export async function saveEmailChange(tx: Tx, change: EmailChange): Promise<void> {
  const fields = {
    token_hash: change.tokenHash,
    email: change.email,
    asked_by: change.askedBy,
    created_at: change.createdAt,
    expires_at: change.expiresAt,
  }
  await tx
    .insertInto("email_changes")
    .values({ user_id: change.userId, ...fields } satisfies NewRow<"email_changes">)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(fields))
    .execute()
}

/** The change of a link that still works. */
export async function findLiveEmailChange(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<Pick<EmailChange, "userId" | "email"> | undefined> {
  return db
    .selectFrom("email_changes")
    .select(["user_id as userId", "email"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

export async function deleteEmailChangeOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("email_changes").where("user_id", "=", userId).execute()
}

export async function deleteExpiredEmailChanges(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom("email_changes").where("expires_at", "<=", now).execute()
}
