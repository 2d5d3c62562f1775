import type { Db, Tx } from "#db/transaction"
import { appendEvents } from "#domain/platform/event-log/append-events"
import type { Clock } from "#kit/clock"
import { type Psp, provenTime } from "#psp/psp"
import { markExpiredChargePages } from "./charge-pages-repository.ts"

const BATCH = 500

interface Deps {
  db: Db
  psp: Pick<Psp, "bankTime">
  clock: Clock
}

/** Marks pages whose time is over. Their codes expire no later than they do. */
export async function expireChargePages({ db, ...deps }: Deps): Promise<void> {
  const now = provenTime(deps)
  for (;;) {
    const marked = await db.transaction().execute((tx) => markExpired(tx, now))
    if (marked < BATCH) return
  }
}

async function markExpired(tx: Tx, now: Date): Promise<number> {
  const marked = await markExpiredChargePages(tx, now, BATCH)
  await appendEvents(tx, "page.expired", marked, now)
  return marked.length
}
