import { setTimeout as sleep } from "node:timers/promises"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import { numberEvents } from "#platform/event-log/append"

const patienceMs = 50_000

/**
 * Tests share their PostgreSQL, and a transaction of any database holds back the events after it: a server numbers them a
 * moment later, a test waits for them here. The transaction may be of another file, and on a busy machine it takes its time.
 */
export async function numberAllEvents(db: Db): Promise<void> {
  for (const giveUpAt = performance.now() + patienceMs; performance.now() < giveUpAt; await sleep(10)) {
    await numberEvents({ db })
    const { rows } = await sql<{ isBehind: boolean }>`
      select exists (select from event_drafts)
        or exists (select from payments where xid > (select until from numbered_events) and seller_id is not null)
        as "isBehind"`.execute(db)
    if (rows[0]?.isBehind !== true) return
  }
  throw new Error(`events were not all numbered within ${patienceMs} ms`)
}
