import type { Selectable } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import type { ManualEntry } from "./manual-entry.ts"

export async function insertEntry(tx: Tx, entry: ManualEntry): Promise<void> {
  await tx
    .insertInto("manual_entries")
    .values({
      id: entry.id,
      kind: entry.kind,
      direction: entry.direction,
      amount_cents: entry.amountCents,
      provider: entry.provider,
      seller_id: entry.sellerId,
      reason: entry.reason,
      reference: entry.reference,
      reverses: entry.reverses,
      created_by: entry.createdBy,
      created_at: entry.createdAt,
      approved_by: entry.approvedBy,
      booked_at: entry.bookedAt,
      refused_by: entry.refusedBy,
      refused_at: entry.refusedAt,
    } satisfies NewRow<"manual_entries", "xid">)
    .execute()
}

export async function findEntry(db: Db, id: string): Promise<ManualEntry | null> {
  const row = await db.selectFrom("manual_entries").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toEntry(row)
}

export async function lockEntry(tx: Tx, id: string): Promise<ManualEntry | null> {
  const row = await tx.selectFrom("manual_entries").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toEntry(row)
}

export async function markBooked(tx: Tx, id: string, booked: { approvedBy: string; bookedAt: Date }): Promise<void> {
  await tx
    .updateTable("manual_entries")
    .set({ approved_by: booked.approvedBy, booked_at: booked.bookedAt })
    .where("id", "=", id)
    .execute()
}

export async function markRefused(tx: Tx, id: string, { by, now }: { by: string; now: Date }): Promise<void> {
  await tx.updateTable("manual_entries").set({ refused_by: by, refused_at: now }).where("id", "=", id).execute()
}

/** Newest first; ids are in the order of time. */
export async function findEntries(
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<ManualEntry[]> {
  const rows = await db
    .selectFrom("manual_entries")
    .selectAll()
    .$if(after !== null, (query) => query.where("id", "<", after))
    .orderBy("id", "desc")
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

function toEntry(row: Selectable<Schema["manual_entries"]>): ManualEntry {
  return {
    id: row.id,
    kind: row.kind,
    direction: row.direction,
    amountCents: row.amount_cents,
    provider: row.provider,
    sellerId: row.seller_id,
    reason: row.reason,
    reference: row.reference,
    reverses: row.reverses,
    createdBy: row.created_by,
    createdAt: row.created_at,
    approvedBy: row.approved_by,
    bookedAt: row.booked_at,
    refusedBy: row.refused_by,
    refusedAt: row.refused_at,
  }
}
