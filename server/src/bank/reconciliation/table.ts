import { sql } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import type { UnreadableEntry } from "#psp/psp"
import type { SeenUnreadable } from "./rules.ts"

interface Seen {
  provider: string
  entries: UnreadableEntry[]
  now: Date
}

/** The first sight of an entry counts. */
export async function insertUnreadableOnce(tx: Tx, { provider, entries, now }: Seen): Promise<void> {
  await tx
    .insertInto("unreadable_entries")
    .values(
      entries.map(
        ({ kind, reference, amountText, happenedAt }) =>
          ({
            id: newId(),
            provider,
            kind,
            reference,
            amount_text: amountText,
            happened_at: happenedAt ?? now,
            first_seen_at: now,
          }) satisfies NewRow<"unreadable_entries", "closed_at" | "closed_by" | "close_reason">,
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Those that meanwhile could be read are in our books. */
const isBooked = sql<boolean>`
  (kind = 'receipt' and exists (select from payments where end_to_end_id = reference))
  or (kind = 'refund' and exists (
    select from refunds where end_to_end_id = split_part(reference, '/', 1)
      and psp_refund_id = substr(reference, strpos(reference, '/') + 1) and status = 'completed'))
  or (kind = 'payout' and exists (select from withdrawals where payout_id = reference and status = 'completed'))`

export async function listUnreadableRows(db: Db, limit: number): Promise<SeenUnreadable[]> {
  const { rows } = await sql<SeenUnreadable>`
    select id, kind, reference, amount_text as "amountText", happened_at as "happenedAt", first_seen_at as "firstSeenAt"
    from unreadable_entries where closed_at is null and not (${isBooked}) order by first_seen_at desc, reference limit ${limit}`.execute(
    db,
  )
  return rows
}

interface Closing {
  id: string
  adminId: string
  reason: string
  now: Date
}

/** Null when it is unknown, or closed already. */
export async function updateClosed(
  tx: Tx,
  { id, adminId, reason, now }: Closing,
): Promise<(UnreadableEntry & { provider: string }) | null> {
  const row = await tx
    .updateTable("unreadable_entries")
    .set({ closed_at: now, closed_by: adminId, close_reason: reason })
    .where("id", "=", id)
    .where("closed_at", "is", null)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return null
  const { provider, kind, reference } = row
  return { provider, kind, reference, amountText: row.amount_text, happenedAt: row.happened_at }
}

/** Returns how many were removed because our books have them now. */
export async function deleteBookedUnreadable(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`delete from unreadable_entries where ${isBooked}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
