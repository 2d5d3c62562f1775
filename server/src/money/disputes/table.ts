import { sql, type Updateable } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"
import { type Row, toDispute } from "./reads.ts"
import type { Dispute } from "./rules.ts"

type Later =
  | "blocked_cents"
  | "movements"
  | "closed_by"
  | "defence"
  | "defence_state"
  | "defended_by"
  | "defended_at"
  | "next_attempt_at"
  | "attempts"

/** False when the provider's dispute is already stored. */
export async function insertDisputeOnce(tx: Tx, dispute: Dispute): Promise<boolean> {
  const inserted = await tx
    .insertInto("disputes")
    .values({
      id: dispute.id,
      provider: dispute.provider,
      psp_dispute_id: dispute.pspDisputeId,
      end_to_end_id: dispute.endToEndId,
      charge_id: dispute.chargeId,
      seller_id: dispute.sellerId,
      amount_cents: dispute.amountCents,
      debited_cents: dispute.debitedCents,
      reason: dispute.reason,
      details: dispute.details,
      state: dispute.state,
      respond_until: dispute.respondUntil,
      opened_at: dispute.openedAt,
      reported_at: dispute.reportedAt,
      closed_at: dispute.closedAt,
      settled_at: dispute.settledAt,
      analysis: dispute.analysis,
      registered_by: dispute.registeredBy,
      admin_notes: dispute.adminNotes,
      created_at: dispute.createdAt,
      updated_at: dispute.createdAt,
    } satisfies NewRow<"disputes", Later>)
    .onConflict((conflict) => conflict.columns(["provider", "psp_dispute_id"]).doNothing())
    .returning("id")
    .executeTakeFirst()
  return inserted !== undefined
}

export async function lockNamedDispute(tx: Tx, provider: string, pspDisputeId: string): Promise<Dispute | null> {
  const row = await tx
    .selectFrom("disputes")
    .selectAll()
    .where("provider", "=", provider)
    .where("psp_dispute_id", "=", pspDisputeId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toDispute(row)
}

export async function lockDisputeRow(tx: Tx, id: string): Promise<Dispute | null> {
  const row = await tx.selectFrom("disputes").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toDispute(row)
}

/** Disputes with money blocked, or possibly to be blocked, oldest first. Call it under the payment's locks. */
export async function lockLiveDisputes(tx: Tx, endToEndId: string): Promise<Dispute[]> {
  const rows = await tx
    .selectFrom("disputes")
    .selectAll()
    .where("end_to_end_id", "=", endToEndId)
    .where("settled_at", "is", null)
    .orderBy("opened_at")
    .orderBy("id")
    .forUpdate()
    .execute()
  return rows.map(toDispute)
}

/** The caller must have locked the row. */
export async function updateDispute(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<Schema["disputes"]>, "id">,
): Promise<Dispute> {
  const row = await tx
    .updateTable("disputes")
    .set(changes)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toDispute(row)
}

interface Claim {
  provider: string
  now: Date
  leaseUntil: Date
  limit: number
}

/** Makes defences due again that a clock which was ahead postponed beyond every pause. */
export async function pullBackDefences(tx: Tx, now: Date, longestPauseEnds: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update disputes set next_attempt_at = ${now}
    where defence_state = 'waiting' and next_attempt_at > ${longestPauseEnds}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Leases waiting defences, oldest first; other nodes skip them. */
export async function claimDefences(tx: Tx, { provider, now, leaseUntil, limit }: Claim): Promise<Dispute[]> {
  const { rows } = await sql<Row>`
    update disputes set next_attempt_at = ${leaseUntil}, attempts = attempts + 1
    where id in (
      select id from disputes
      where defence_state = 'waiting' and provider = ${provider} and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${limit} for update skip locked
    ) returning *`.execute(tx)
  return rows.map(toDispute)
}
