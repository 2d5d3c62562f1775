import { setTimeout as sleep } from "node:timers/promises"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import { enterSome } from "#money/statements/table"

/**
 * Tests share their PostgreSQL, and a transaction of any database holds back the movements after it: a server enters them
 * some seconds later, a test waits for them here.
 */
export async function enterAllMovements(db: Db): Promise<void> {
  for (const giveUpAt = performance.now() + 20_000; performance.now() < giveUpAt; await sleep(10)) {
    await db.transaction().execute((tx) => enterSome(tx, 1_000))
    const { rows } = await sql<{ isBehind: boolean }>`
      select exists (select from account_movements where xid >= (select below from entered_statements)) as "isBehind"`.execute(
      db,
    )
    if (rows[0]?.isBehind !== true) return
  }
  throw new Error("a transaction held back the movements for 20 s")
}
