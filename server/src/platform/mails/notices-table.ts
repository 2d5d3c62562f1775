import { sql } from "kysely"
import { comesAfter } from "#db/list-range"
import { prepared } from "#db/prepared"
import { jsonb, type NewRow, rowsOf, text, timestamptz, uuid } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { Notice } from "./notice.ts"

interface NewNotice {
  id: string
  userId: string
  createdAt: Date
  notice: Notice
  dedupeKey: string
}

const newNotices = rowsOf<NewNotice, NewRow<"notices", "read_at">>("given", {
  id: uuid(({ id }) => id),
  user_id: uuid(({ userId }) => userId),
  told_at: timestamptz(({ createdAt }) => createdAt),
  content: jsonb(({ notice }) => JSON.stringify(notice)),
  dedupe_key: text(({ dedupeKey }) => dedupeKey),
})

export async function insertNoticesOnce(tx: Tx, notices: readonly NewNotice[]): Promise<void> {
  await prepared("insert-notices-once")`
    insert into notices (${newNotices.columns}) select * from ${newNotices.of(notices)}
    on conflict (user_id, dedupe_key) do nothing`.execute(tx)
}

export interface StoredNotice {
  id: string
  told_at: Date
  read_at: Date | null
  content: Notice
}

export async function listNoticeRows(
  db: Db,
  userId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<StoredNotice[]> {
  const position = after === undefined ? sql`true` : comesAfter("notices", "notice", after)
  const { rows } = await sql<StoredNotice>`
    select id, told_at, read_at, content from notices notice
    where user_id = ${userId} and ${position}
    order by told_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export async function countUnreadRows(db: Db, userId: string, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from notices where user_id = ${userId} and read_at is null limit ${atMost}
    ) unread`.execute(db)
  return rows[0]?.count ?? 0
}

/** Marks the user's own notices only: those named, or all without names. */
export async function markRowsRead(
  tx: Tx,
  { userId, ids }: { userId: string; ids: readonly string[] | null },
  now: Date,
): Promise<void> {
  await tx
    .updateTable("notices")
    .set({ read_at: now })
    .where("user_id", "=", userId)
    .where("read_at", "is", null)
    .$if(ids !== null, (query) => query.where("id", "in", ids ?? []))
    .execute()
}

export async function findActiveAdmins(tx: Tx): Promise<string[]> {
  const admins = tx.selectFrom("users").select("id").where("role", "=", "admin").where("active", "=", true)
  return (await admins.execute()).map(({ id }) => id)
}

export async function findUserName(tx: Tx, id: string): Promise<string> {
  const user = await tx.selectFrom("users").select("name").where("id", "=", id).executeTakeFirst()
  return user?.name ?? ""
}

export async function deleteNoticesBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("notices").where("told_at", "<", moment).execute()
}

export async function deleteNoticesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("notices").where("user_id", "=", userId).execute()
}
