import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import type { UnreadableEntry } from "#psp/psp"
import { isBooked } from "./reads.ts"

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
