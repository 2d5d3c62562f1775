import { closedStatusOf, openChargeStatuses } from "@tilinta/contract/vocabulary/transaction-status"
import { type RawBuilder, type Selectable, sql } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Schema } from "#db/schema"
import { wordCase, wordList } from "#db/sql-part"
import type { Db, Tx } from "#db/transaction"
import { invariant } from "#kit/invariant"
import type { AskedCharge, Charge } from "./charge.ts"

type Row = Selectable<Schema["charges"]>

export function toCharge(row: Row): Charge {
  return {
    id: row.id,
    sellerId: row.seller_id,
    pageId: row.page_id,
    txid: row.txid,
    provider: row.provider,
    status: row.status,
    amountCents: row.amount_cents,
    feeBasisPoints: row.fee_basis_points,
    feeCents: row.fee_cents,
    netCents: row.net_cents,
    refundedCents: row.refunded_cents,
    refundedFeeCents: row.refunded_fee_cents,
    pageTitle: row.page_title,
    description: row.description,
    pixCode: row.pix_code,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    payer: { name: row.payer_name, email: row.payer_email, cpf: row.payer_cpf, phone: row.payer_phone },
    idempotencyKey: row.idempotency_key,
    requestHash: row.request_hash,
    endToEndId: row.end_to_end_id,
    paidAt: row.paid_at,
    isLate: row.is_late,
    isDuplicate: row.is_duplicate,
    removal: row.removal,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toAskedCharge(row: Row): AskedCharge {
  const { page_id: pageId, txid } = row
  invariant(pageId !== null && txid !== null, `charge ${row.id} has no page or txid`)
  return { ...toCharge(row), pageId, txid }
}

function columnsOf(charge: Charge) {
  return {
    id: charge.id,
    seller_id: charge.sellerId,
    page_id: charge.pageId,
    txid: charge.txid,
    provider: charge.provider,
    status: charge.status,
    amount_cents: charge.amountCents,
    fee_basis_points: charge.feeBasisPoints,
    fee_cents: charge.feeCents,
    net_cents: charge.netCents,
    page_title: charge.pageTitle,
    description: charge.description,
    expires_at: charge.expiresAt,
    payer_name: charge.payer.name,
    payer_email: charge.payer.email,
    payer_cpf: charge.payer.cpf,
    payer_phone: charge.payer.phone,
    idempotency_key: charge.idempotencyKey,
    request_hash: charge.requestHash,
    created_at: charge.createdAt,
    updated_at: charge.updatedAt,
  }
}

/** An accepted payment has no Pix code, is on time, is not refunded yet, and no provider has to forget it. */
type Unneeded =
  | "refunded_cents"
  | "refunded_fee_cents"
  | "pix_code"
  | "opened_at"
  | "is_late"
  | "removal"
  | "removal_not_before"

/** An accepted unmatched payment becomes a charge that is paid from the start. */
export async function insertPaidCharge(tx: Tx, charge: Charge): Promise<void> {
  await tx
    .insertInto("charges")
    .values({
      ...columnsOf(charge),
      end_to_end_id: charge.endToEndId,
      paid_at: charge.paidAt,
      is_duplicate: charge.isDuplicate,
    } satisfies NewRow<"charges", Unneeded>)
    .execute()
}

export async function lockChargeRow(tx: Tx, id: string): Promise<Charge | null> {
  const row = await tx.selectFrom("charges").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toCharge(row)
}

/** The caller must have locked the row. */
export async function updateRefunded(tx: Tx, charge: Charge): Promise<void> {
  const { status, refundedCents, refundedFeeCents, updatedAt } = charge
  await tx
    .updateTable("charges")
    .set({ status, refunded_cents: refundedCents, refunded_fee_cents: refundedFeeCents, updated_at: updatedAt })
    .where("id", "=", charge.id)
    .execute()
}

export async function findChargeRow(db: Db, id: string): Promise<Charge | null> {
  const row = await db.selectFrom("charges").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toCharge(row)
}

export async function findChargeRows(db: Db, ids: string[]): Promise<Charge[]> {
  const { rows } = await sql<Row>`select * from charges where id = any(${ids}::uuid[])`.execute(db)
  return rows.map(toCharge)
}

/** `removal` says whether the provider may know the charge. */
export async function markChargeFailed(tx: Tx, id: string, removal: "none" | "due", now: Date): Promise<void> {
  await tx
    .updateTable("charges")
    .set({ status: "failed", removal, updated_at: now })
    .where("id", "=", id)
    .where("status", "=", "creating")
    .execute()
}

/** Unfinished charges: the process died, or the provider never answered. */
export async function markUnfinishedChargesFailed(
  tx: Tx,
  createdBefore: Date,
  now: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update charges set status = 'failed', removal = 'due', updated_at = ${now}
    where id in (
      select id from charges where status = 'creating' and created_at < ${createdBefore}
      order by created_at limit ${limit} for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

interface ClosedCharge {
  id: string
  seller_id: string
}

export async function markOpenChargesCancelled(
  tx: Tx,
  { pageId, expiringAfter, now }: { pageId: string; expiringAfter: Date | undefined; now: Date },
): Promise<ClosedCharge[]> {
  const ofPage = sql<boolean>`page_id = ${pageId}
    and (${expiringAfter ?? null}::timestamptz is null or expires_at > ${expiringAfter ?? null})`
  return markCancelled(tx, ofPage, now)
}

export async function findPagesWithOpenCharges(db: Db, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ page_id: string }>`
    select distinct page_id from charges
    where seller_id = ${sellerId} and status in ${wordList(openChargeStatuses)}`.execute(db)
  return rows.map((row) => row.page_id)
}

export async function markSellersOpenChargesCancelled(tx: Tx, sellerId: string, now: Date): Promise<ClosedCharge[]> {
  return markCancelled(tx, sql<boolean>`seller_id = ${sellerId}`, now)
}

async function markCancelled(tx: Tx, which: RawBuilder<boolean>, now: Date): Promise<ClosedCharge[]> {
  const ids = await lockInOrder(tx, sql<boolean>`status in ${wordList(openChargeStatuses)} and ${which}`)
  if (ids.length === 0) return []
  const { rows } = await sql<ClosedCharge>`
    update charges
    set status = ${wordCase("status", closedStatusOf)}, removal = 'due', updated_at = ${now}
    where id = any(${ids}::uuid[]) returning id, seller_id`.execute(tx)
  return rows
}

/** Locks in the order of ids, like every writer of charges, which prevents deadlocks. */
async function lockInOrder(tx: Tx, which: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from charges where ${which} order by id::text for update`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function markExpiredCharges(tx: Tx, endedBefore: Date, now: Date, limit: number): Promise<ClosedCharge[]> {
  const { rows } = await sql<ClosedCharge>`
    update charges set status = 'expired', removal = 'due', updated_at = ${now}
    where id in (
      select id from charges where status = 'pending' and expires_at <= ${endedBefore}
      order by expires_at limit ${limit} for update skip locked
    ) returning id, seller_id`.execute(tx)
  return rows
}

/** Leases charges with a due removal for half a minute; unfinished ones are claimed again afterwards. */
export async function claimDueRemovals(tx: Tx, now: Date, limit: number): Promise<{ id: string; txid: string }[]> {
  const { rows } = await sql<{ id: string; txid: string }>`
    update charges set removal_not_before = ${new Date(now.getTime() + 30_000)}
    where id in (
      select id from charges where removal = 'due' and removal_not_before <= ${now}
      order by removal_not_before limit ${limit} for update skip locked
    ) returning id, txid`.execute(tx)
  return rows
}

export async function markRemovalDone(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await lockInOrder(tx, sql<boolean>`id = any(${ids}::uuid[])`)
  await tx.updateTable("charges").set({ removal: "done" }).where("id", "in", ids).execute()
}

export async function readOldestDueRemoval(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await sql<{ count: number; oldestAt: Date | null }>`
    select count(*) as count, min(updated_at) as "oldestAt" from charges where removal = 'due'`.execute(db)
  return rows[0] ?? { count: 0, oldestAt: null }
}
