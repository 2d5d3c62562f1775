import { requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { type WrittenNotice, writeNotice } from "./notice.ts"
import { countUnreadRows, listNoticeRows, type StoredNotice } from "./notices-repository.ts"

/** Beyond it the count only says that there are more. */
const MOST_COUNTED = 100

export interface ListedNotice extends WrittenNotice, Pick<StoredNotice, "id" | "told_at" | "read_at"> {
  kind: StoredNotice["content"]["kind"]
}

interface NoticesPart {
  notices: ListedNotice[]
  /** At most a hundred. */
  unread: number
  /** Cursor of the next part; null at the end. */
  next: string | null
}

export async function listNotices(
  db: Db,
  userId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<NoticesPart> {
  const rows = await listNoticeRows(db, userId, { limit: limit + 1, after })
  await requireRowBefore(db, "notices", { after }, rows)
  const shown = rows.slice(0, limit)
  return {
    notices: shown.map(({ content, ...row }) => ({ ...row, kind: content.kind, ...writeNotice(content) })),
    unread: await countUnreadRows(db, userId, MOST_COUNTED),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}
