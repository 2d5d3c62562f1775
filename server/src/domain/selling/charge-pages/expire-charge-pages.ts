import type { Db } from "#db/transaction"
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
    const marked = await db.transaction().execute((tx) => markExpiredChargePages(tx, now, BATCH))
    if (marked < BATCH) return
  }
}
