import type { DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import { type Selectable, sql } from "kysely"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { Dispute } from "./rules.ts"

export type Row = Selectable<Schema["disputes"]>

export async function findDisputeRow(db: Db, id: string): Promise<Dispute | null> {
  const row = await db.selectFrom("disputes").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toDispute(row)
}

export async function hasLiveDispute(db: Db, endToEndId: string): Promise<boolean> {
  const row = await db
    .selectFrom("disputes")
    .select("id")
    .where("end_to_end_id", "=", endToEndId)
    .where("settled_at", "is", null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The reported disputes that are settled and unchanged. */
export async function findSettledNames(
  db: Db,
  provider: string,
  reported: { disputeId: string; state: DisputeState }[],
): Promise<Set<string>> {
  if (reported.length === 0) return new Set()
  const { rows } = await sql<{ name: string }>`
    select dispute.psp_dispute_id as name
    from disputes dispute
    join jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as given ("disputeId" text, state text)
      on given."disputeId" = dispute.psp_dispute_id and given.state = dispute.state
    where dispute.provider = ${provider} and dispute.settled_at is not null`.execute(db)
  return new Set(rows.map((row) => row.name))
}

export function toDispute(row: Row): Dispute {
  return {
    id: row.id,
    provider: row.provider,
    pspDisputeId: row.psp_dispute_id,
    endToEndId: row.end_to_end_id,
    chargeId: row.charge_id,
    sellerId: row.seller_id,
    amountCents: row.amount_cents,
    blockedCents: row.blocked_cents,
    debitedCents: row.debited_cents,
    movements: row.movements,
    reason: row.reason,
    details: row.details,
    state: row.state,
    respondUntil: row.respond_until,
    openedAt: row.opened_at,
    reportedAt: row.reported_at,
    closedAt: row.closed_at,
    settledAt: row.settled_at,
    analysis: row.analysis,
    defence: row.defence,
    defenceState: row.defence_state,
    defendedAt: row.defended_at,
    attempts: row.attempts,
    registeredBy: row.registered_by,
    adminNotes: row.admin_notes,
    createdAt: row.created_at,
  }
}
