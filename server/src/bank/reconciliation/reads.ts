import { sql } from "kysely"
import type { Db } from "#db/transaction"
import type { UnreadableEntry } from "#psp/psp"

export interface SeenUnreadable extends UnreadableEntry {
  id: string
  happenedAt: Date
  firstSeenAt: Date
}

/** Those that meanwhile could be read are in our books. */
export const isBooked = sql<boolean>`
  (kind = 'receipt' and exists (select from payments where end_to_end_id = reference))
  or (kind = 'refund' and exists (
    select from refunds where end_to_end_id = split_part(reference, '/', 1)
      and psp_refund_id = substr(reference, strpos(reference, '/') + 1) and status = 'completed'))
  or (kind = 'payout' and exists (select from withdrawals where payout_id = reference and status = 'completed'))`

const MOST_SHOWN = 100

/** Newest first. */
export async function listUnreadable(db: Db): Promise<SeenUnreadable[]> {
  const { rows } = await sql<SeenUnreadable>`
    select id, kind, reference, amount_text as "amountText", happened_at as "happenedAt", first_seen_at as "firstSeenAt"
    from unreadable_entries where closed_at is null and not (${isBooked})
    order by first_seen_at desc, reference limit ${MOST_SHOWN}`.execute(db)
  return rows
}
