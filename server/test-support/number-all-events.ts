import { setTimeout as sleep } from "node:timers/promises"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import { numberEvents } from "#domain/platform/event-log/number-events"

/**
 * Tests share their PostgreSQL, and a transaction of any database holds back the events after it: a server numbers them a
 * moment later, a test waits for them here.
 */
export async function numberAllEvents(db: Db): Promise<void> {
  for (const giveUpAt = performance.now() + 3_000; performance.now() < giveUpAt; await sleep(10)) {
    await numberEvents({ db })
    const { rows } = await sql<{ isBehind: boolean }>`
      select exists (select from event_drafts)
        or exists (select from payments where xid > (select until from numbered_events) and seller_id is not null)
        as "isBehind"`.execute(db)
    if (rows[0]?.isBehind !== true) return
  }
}
