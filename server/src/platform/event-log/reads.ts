import { sql } from "kysely"
import type { Db } from "#db/transaction"

/**
 * Committed, and waiting for its number. Planned each time, and in the order of the index: a plan kept from when the table
 * was small would read all payments, and so would `exists`, whose order PostgreSQL drops.
 */
export async function isAnythingUnnumbered(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_any: boolean }>`
    with done as materialized (select until from numbered_events)
    select exists (select from event_drafts where xid > (select until from done))
      or (select xid from payments where xid > (select until from done) order by xid limit 1) is not null as is_any`.execute(
    db,
  )
  return rows[0]?.is_any ?? false
}
