import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { currentMacs, macOf } from "#platform/order-macs/macs"
import { toEntry } from "./reads.ts"
import { type ManualEntry, proposalOrder } from "./rules.ts"

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
      mac: macOf(proposalOrder(entry)),
    } satisfies NewRow<"manual_entries", "xid">)
    .execute()
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

/** Proposals of this person that nobody has answered. */
export async function lockWaitingOf(tx: Tx, createdBy: string): Promise<ManualEntry[]> {
  const query = tx.selectFrom("manual_entries").selectAll().where("created_by", "=", createdBy)
  const waiting = query.where("booked_at", "is", null).where("refused_at", "is", null)
  return (await waiting.orderBy("id").forUpdate().execute()).map(toEntry)
}

export async function lockProposalsOfFormerKey(tx: Tx, secretKeys: SecretKeys): Promise<ManualEntry[]> {
  const query = tx.selectFrom("manual_entries").selectAll().where("booked_at", "is", null)
  const rows = await query.where("mac", "not like", currentMacs(secretKeys)).forUpdate().execute()
  return rows.map(toEntry)
}

export async function saveProposalMac(tx: Tx, id: string, mac: string | null): Promise<void> {
  await tx.updateTable("manual_entries").set({ mac }).where("id", "=", id).execute()
}

/** Two entries for one event come one after the other. */
export async function lockEvent(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reversal:${name}`}, 0))`.execute(tx)
}
