import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { markExpiredChargePages } from "./charge-pages-repository.ts"

const BATCH = 500

/** Marks pages whose time is over. Their codes expire no later than they do. */
export async function expireChargePages({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  for (;;) {
    const marked = await db.transaction().execute((tx) => markExpiredChargePages(tx, now, BATCH))
    if (marked < BATCH) return
  }
}
