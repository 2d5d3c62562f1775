import type { Cents } from "@tilinta/contract/vocabulary/money"
import { isRefundUnderWay, liveRefundStatuses } from "@tilinta/contract/vocabulary/refund-status"
import { type Selectable, sql, type Updateable } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Schema } from "#db/schema"
import { wordList } from "#db/sql-part"
import type { Db, Tx } from "#db/transaction"
import type { Refund } from "./refund.ts"

type Row = Selectable<Schema["refunds"]>

/** False when the payment already has a refund with this id. */
export async function insertRefundOnce(tx: Tx, refund: Refund): Promise<boolean> {
  const inserted = await tx
    .insertInto("refunds")
    .values({
      id: refund.id,
      end_to_end_id: refund.endToEndId,
      psp_refund_id: refund.pspRefundId,
      provider: refund.provider,
      charge_id: refund.chargeId,
      seller_id: refund.sellerId,
      amount_cents: refund.amountCents,
      fee_cents: refund.feeCents,
      origin: refund.origin,
      status: refund.status,
      reason: refund.reason,
      return_id: refund.returnId,
      requested_by: refund.requestedBy,
      is_dispute: refund.isDispute,
      dispute_id: refund.disputeId,
      next_attempt_at: isRefundUnderWay(refund.status) ? refund.createdAt : null,
      created_at: refund.createdAt,
      processed_at: refund.processedAt,
      settled_at: refund.settledAt,
    } satisfies NewRow<"refunds", "xid" | "failure_reason" | "attempts" | "sending_at">)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findRefundRow(db: Db, id: string): Promise<Refund | null> {
  const row = await db.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toRefund(row)
}

export async function findRefundRows(db: Db, ids: readonly string[]): Promise<Refund[]> {
  const rows = await db.selectFrom("refunds").selectAll().where("id", "in", ids).execute()
  return rows.map(toRefund)
}

export async function findNamedRefund(db: Db, endToEndId: string, pspRefundId: string): Promise<Refund | null> {
  const row = await db
    .selectFrom("refunds")
    .selectAll()
    .where("end_to_end_id", "=", endToEndId)
    .where("psp_refund_id", "=", pspRefundId)
    .executeTakeFirst()
  return row === undefined ? null : toRefund(row)
}

export async function lockRefundRow(tx: Tx, id: string): Promise<Refund | null> {
  const row = await tx.selectFrom("refunds").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toRefund(row)
}

/** The caller must have locked the row. */
export async function updateRefund(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<Schema["refunds"]>, "id">,
): Promise<Refund> {
  const row = await tx.updateTable("refunds").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow()
  return toRefund(row)
}

export async function listRefundsOfCharge(db: Db, chargeId: string): Promise<Refund[]> {
  const rows = await db
    .selectFrom("refunds")
    .selectAll()
    .where("charge_id", "=", chargeId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute()
  return rows.map(toRefund)
}

interface Sums {
  grossCents: Cents
  feeCents: Cents
}

/** Refunds of the charge, completed or under way. Under the charge's lock none is added. */
export async function sumLiveRefunds(db: Db, chargeId: string): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select coalesce(sum(amount_cents), 0)::bigint as "grossCents", coalesce(sum(fee_cents), 0)::bigint as "feeCents"
    from refunds where charge_id = ${chargeId} and status in ${wordList(liveRefundStatuses)}`.execute(db)
  return rows[0] ?? { grossCents: 0 as Cents, feeCents: 0 as Cents }
}

/** Requested since then by people and programs, and not refused. */
export async function sumRefundsSince(db: Db, chargeId: string, since: Date): Promise<Cents> {
  const { rows } = await sql<{ sum: Cents }>`
    select coalesce(sum(amount_cents), 0)::bigint as sum
    from refunds
    where charge_id = ${chargeId} and status in ${wordList(liveRefundStatuses)} and origin <> 'bank'
      and created_at > ${since}`.execute(db)
  return rows[0]?.sum ?? (0 as Cents)
}

/** The part of an uncredited payment that was already returned. */
export async function sumReturnedOfUncredited(db: Db, endToEndId: string): Promise<Cents> {
  const { rows } = await sql<{ sum: Cents }>`
    select coalesce(sum(amount_cents), 0)::bigint as sum
    from refunds where end_to_end_id = ${endToEndId} and charge_id is null and status = 'completed'`.execute(db)
  return rows[0]?.sum ?? (0 as Cents)
}

/** Debits of the bank for a dispute that was not yet known here, oldest first. */
export async function listUnclaimedDebits(tx: Tx, endToEndId: string): Promise<Refund[]> {
  const rows = await tx
    .selectFrom("refunds")
    .selectAll()
    .where("end_to_end_id", "=", endToEndId)
    .where("is_dispute", "=", true)
    .where("dispute_id", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .forUpdate()
    .execute()
  return rows.map(toRefund)
}

/** An admin's manual debit of this amount, which has the dispute's id until the bank reports its own. */
export async function lockHandDebit(tx: Tx, endToEndId: string, amountCents: Cents | null): Promise<Refund | null> {
  const row = await tx
    .selectFrom("refunds")
    .selectAll()
    .where("end_to_end_id", "=", endToEndId)
    .where("amount_cents", "=", amountCents)
    .where("psp_refund_id", "=", sql<string>`replace(dispute_id::text, '-', '')`)
    .orderBy("id")
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toRefund(row)
}

/** Completed refunds of these payments. */
export async function findCompletedNames(
  db: Db,
  endToEndIds: string[],
): Promise<{ endToEndId: string; pspRefundId: string }[]> {
  if (endToEndIds.length === 0) return []
  const { rows } = await sql<{ endToEndId: string; pspRefundId: string }>`
    select end_to_end_id as "endToEndId", psp_refund_id as "pspRefundId" from refunds
    where end_to_end_id = any(${endToEndIds}::text[]) and status = 'completed'`.execute(db)
  return rows
}

/** False once the server has started without this provider's variables. */
export async function isProviderConnected(db: Db, provider: string): Promise<boolean> {
  const row = await db
    .selectFrom("psp_connections")
    .select("is_connected as isConnected")
    .where("provider", "=", provider)
    .executeTakeFirst()
  return row?.isConnected ?? true
}

interface Claim {
  provider: string
  now: Date
  leaseUntil: Date
  limit: number
}

/** Leases refunds, oldest first; other nodes skip them. */
export async function claimProcessingRefunds(tx: Tx, { provider, now, leaseUntil, limit }: Claim): Promise<Refund[]> {
  const { rows } = await sql<Row>`
    update refunds set next_attempt_at = ${leaseUntil}, attempts = attempts + 1
    where id in (
      select id from refunds
      where status = 'processing' and provider = ${provider} and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${limit} for update skip locked
    ) returning *`.execute(tx)
  return rows.map(toRefund)
}

/** Null unless it is still processing, and nobody has said by hand what became of it. */
export async function markSendingRefund(tx: Tx, id: string, now: Date): Promise<Refund | null> {
  const locked = await lockRefundRow(tx, id)
  if (locked?.status !== "processing") return null
  const { rows } = await sql<Row>`
    update refunds set sending_at = ${now}
    where id = ${id} and not exists (select from hand_settlements said where said.subject_id = refunds.id)
    returning *`.execute(tx)
  return rows[0] === undefined ? null : toRefund(rows[0])
}

export async function postponeProcessingRefund(tx: Tx, id: string, until: Date): Promise<void> {
  await tx
    .updateTable("refunds")
    .set({ next_attempt_at: until })
    .where("id", "=", id)
    .where("status", "=", "processing")
    .execute()
}

/** Makes refunds due again that a clock which was ahead postponed beyond every pause. */
export async function pullBackProcessingRefunds(tx: Tx, now: Date, longestPauseEnds: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update refunds set next_attempt_at = ${now}
    where status = 'processing' and next_attempt_at > ${longestPauseEnds}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

function toRefund(row: Row): Refund {
  return {
    id: row.id,
    endToEndId: row.end_to_end_id,
    pspRefundId: row.psp_refund_id,
    provider: row.provider,
    chargeId: row.charge_id,
    sellerId: row.seller_id,
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    origin: row.origin,
    status: row.status,
    reason: row.reason,
    failureReason: row.failure_reason,
    returnId: row.return_id,
    requestedBy: row.requested_by,
    isDispute: row.is_dispute,
    disputeId: row.dispute_id,
    attempts: row.attempts,
    createdAt: row.created_at,
    processedAt: row.processed_at,
    settledAt: row.settled_at,
    sendingAt: row.sending_at,
  }
}

export async function readOldestRefundUnderWay(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await sql<{ count: number; oldestAt: Date | null }>`
    select count(*) as count, min(created_at) as "oldestAt"
    from refunds where status = 'processing'`.execute(db)
  return rows[0] ?? { count: 0, oldestAt: null }
}
