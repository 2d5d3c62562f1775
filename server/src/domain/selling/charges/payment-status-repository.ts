import { sql } from "kysely"
import { arrayLiteral } from "#db/array-literal"
import type { ChargeStatus } from "#db/charge-tables"
import type { Db } from "#db/transaction"

export interface StatusRow {
  id: string
  status: ChargeStatus
  expiresAt: Date
}

/**
 * The statuses that the database has now, for all waiting callers. Known charges that are still pending and not
 * expired, as most are, return no row.
 */
export async function findStatusRows(
  db: Db,
  { ids, strangers, overBy }: { ids: readonly string[]; strangers: readonly string[]; overBy: Date },
): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`/* prepared payment-statuses */
    select id, status, expires_at as "expiresAt" from charges
    where id = any(${arrayLiteral(ids)}::uuid[])
      and (status <> 'pending' or expires_at <= ${overBy} or id = any(${arrayLiteral(strangers)}::uuid[]))`.execute(db)
  return rows
}
