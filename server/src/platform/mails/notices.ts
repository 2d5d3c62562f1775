import type { NoticeTopic } from "@tilinta/contract/vocabulary/mails"
import { requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { type Clock } from "#kit/clock"
import { isId } from "#kit/ids"
import { type WrittenNotice, writeNotice } from "./notice.ts"
import { countUnreadRows, listNoticeRows, type NoticesRange, type StoredNotice } from "./reads.ts"
import { markRowsRead } from "./table.ts"

/** Beyond it the count only says that there are more. */
const MOST_COUNTED = 100

export interface ListedNotice extends WrittenNotice, Pick<StoredNotice, "id" | "told_at" | "read_at"> {
  kind: StoredNotice["content"]["kind"]
}

interface NoticesPart {
  notices: ListedNotice[]
  /** At most a hundred each. */
  unreadByTopic: Record<NoticeTopic, number>
  /** Cursor of the next part; null at the end. */
  next: string | null
}

export async function listNotices(db: Db, userId: string, { limit, after, topic }: NoticesRange): Promise<NoticesPart> {
  const rows = await listNoticeRows(db, userId, { limit: limit + 1, after, topic })
  await requireRowBefore(db, "notices", { after }, rows)
  const shown = rows.slice(0, limit)
  return {
    notices: shown.map(({ content, ...row }) => ({ ...row, kind: content.kind, ...writeNotice(content, userId) })),
    unreadByTopic: {
      activity: await countUnreadRows(db, userId, "activity", MOST_COUNTED),
      security: await countUnreadRows(db, userId, "security", MOST_COUNTED),
    },
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

interface Reading {
  userId: string
  /** All without names. Unknown ones, and those of others, are passed over. */
  ids: readonly string[] | null
}

export async function markNoticesRead({ db, clock }: { db: Db; clock: Clock }, reading: Reading): Promise<void> {
  const ids = reading.ids?.filter(isId) ?? null
  if (ids?.length === 0) return
  const now = clock.now()
  await db.transaction().execute((tx) => markRowsRead(tx, { userId: reading.userId, ids }, now))
}
