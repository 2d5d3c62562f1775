import type { Cents } from "@tilinta/contract/vocabulary/money"
import { isRefundUnderWay } from "@tilinta/contract/vocabulary/transactions"
import { sql, type Updateable } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { currentMacs, macOf } from "#platform/order-macs/macs"
import { type Row, toRefund } from "./reads.ts"
import { type Refund, refundOrder } from "./rules.ts"

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
      mac: refund.origin === "bank" ? null : macOf(refundOrder(refund)),
    } satisfies NewRow<"refunds", "xid" | "failure_reason" | "attempts" | "sending_at">)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst()
  return inserted !== undefined
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

export async function lockRefundsOfFormerKey(tx: Tx, secretKeys: SecretKeys): Promise<Refund[]> {
  const query = tx.selectFrom("refunds").selectAll().where("status", "=", "processing")
  const rows = await query.where("mac", "not like", currentMacs(secretKeys)).forUpdate().execute()
  return rows.map(toRefund)
}
