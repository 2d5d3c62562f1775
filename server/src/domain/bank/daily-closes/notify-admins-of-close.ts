import type { Tx } from "#db/transaction"
import { listActiveAdmins } from "#domain/people/users/list-active-admins"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import type { DailyClose } from "./daily-close.ts"

interface Told {
  providerLabel: string
  now: Date
}

/** One mail per active admin and number of differences, so an unchanged day causes no further mail. */
export async function notifyAdminsOfClose(tx: Tx, close: DailyClose, { providerLabel, now }: Told): Promise<void> {
  const { id, day, differenceCount } = close
  if (differenceCount === 0) return
  const content = {
    kind: "daily_close_differs",
    closeId: id,
    day,
    provider: providerLabel,
    count: differenceCount,
  } as const
  const admins = await listActiveAdmins(tx)
  const mails = admins.map((userId) => ({
    userId,
    content,
    dedupeKey: `daily-close:${id}:${differenceCount}:${userId}`,
  }))
  await enqueueMails(tx, mails, now)
}
