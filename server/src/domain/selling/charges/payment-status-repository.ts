import type { ChargeStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { prepared } from "#db/prepared"
import { uuidList } from "#db/rows-of"
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
  const { rows } = await prepared<StatusRow>("payment-statuses")`
    select id, status, expires_at as "expiresAt" from charges
    where id = any(${uuidList(ids)})
      and (status <> 'pending' or expires_at <= ${overBy} or id = any(${uuidList(strangers)}))`.execute(db)
  return rows
}
