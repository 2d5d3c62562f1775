import { sql } from "kysely"
import type { Db } from "#db/transaction"

/** The moment at which a row of each sealed table was written. */
const writtenAt = {
  audit_records: "happened_at",
  journal: "booked_at",
  manual_entries: "created_at",
  payments: "received_at",
  refunds: "created_at",
  withdrawals: "created_at",
} as const

/** True when a row that is not sealed yet was written before this moment. */
export async function waitsSince(db: Db, moment: Date): Promise<boolean> {
  const oldest = Object.entries(writtenAt).map(
    ([table, column]) => sql`
      (select ${sql.ref(column)} as at from ${sql.table(table)}
       where xid > (select until from chain_head) order by xid limit 1)`,
  )
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from (${sql.join(oldest, sql` union all `)}) oldest where at < ${moment}) as waits
  `.execute(db)
  return rows[0]?.waits ?? false
}
