import type { PendingCounts } from "@tilinta/contract/pending-counts"
import { MOST_PENDING_COUNTED } from "@tilinta/contract/vocabulary/api"
import { type RawBuilder, sql } from "kysely"
import { listUnreadable } from "#bank/reconciliation/reads"
import type { Db } from "#db/transaction"
import { listSecondApprovals } from "#people/second-approvals/approve"

/** Each queue by an index of its open rows alone, so what was decided long ago costs nothing. */
export async function readPendingCounts(db: Db, adminId: string, now: Date): Promise<PendingCounts> {
  const [queues, unreadable, approvals] = await Promise.all([
    countQueues(db, adminId),
    listUnreadable(db),
    listSecondApprovals(db, now),
  ])
  const { unmatchedPayments, ...others } = queues
  return {
    unmatchedPayments: Math.min(unmatchedPayments + unreadable.length, MOST_PENDING_COUNTED),
    ...others,
    approvals: Math.min(approvals.filter(({ askedBy }) => askedBy !== adminId).length, MOST_PENDING_COUNTED),
  }
}

async function countQueues(db: Db, adminId: string): Promise<Omit<PendingCounts, "approvals">> {
  const { rows } = await sql<Omit<PendingCounts, "approvals">>`
    select
      ${counted(sql`unmatched_payments where status = 'open'`)} as "unmatchedPayments",
      ${counted(sql`disputes where settled_at is null and state <> 'defended'`)} as disputes,
      ${counted(sql`page_reports where status = 'open'`)} as "pageReports",
      ${counted(sql`manual_entries where booked_at is null and refused_at is null and created_by <> ${adminId}`)}
        as "manualEntries"`.execute(db)
  const [row] = rows
  return row ?? { unmatchedPayments: 0, disputes: 0, pageReports: 0, manualEntries: 0 }
}

function counted(open: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select count(*) from (select from ${open} limit ${MOST_PENDING_COUNTED}) open)`
}
