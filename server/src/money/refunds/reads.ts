import type { Cents } from "@tilinta/contract/vocabulary/money"
import { liveRefundStatuses } from "@tilinta/contract/vocabulary/transactions"
import { type Selectable, sql } from "kysely"
import { wordList } from "#db/prepared"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { Refund } from "./rules.ts"

export type Row = Selectable<Schema["refunds"]>

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

export function toRefund(row: Row): Refund {
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
    mac: row.mac,
  }
}

export async function readOldestRefundUnderWay(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await sql<{ count: number; oldestAt: Date | null }>`
    select count(*) as count, min(created_at) as "oldestAt"
    from refunds where status = 'processing'`.execute(db)
  return rows[0] ?? { count: 0, oldestAt: null }
}
