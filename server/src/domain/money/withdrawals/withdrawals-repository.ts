import { type Selectable, sql, type Updateable } from "kysely"
import { prepared } from "#db/prepared"
import type { NewRow } from "#db/row-types"
import { bigint, jsonb, rowsOf, text, timestamptz, uuid } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import { invariant } from "#kit/invariant"
import type { Destination, Withdrawal } from "./withdrawal.ts"

type Row = Selectable<Schema["withdrawals"]>

type Undecided =
  | "provider"
  | "end_to_end_id"
  | "admin_notes"
  | "failure_reason"
  | "decided_by"
  | "next_attempt_at"
  | "attempts"
  | "approved_at"
  | "processed_at"
  | "settled_at"
  | "sent_at"

const newWithdrawals = rowsOf<Withdrawal, NewRow<"withdrawals", Undecided>>("asked", {
  id: uuid(({ id }) => id),
  seller_id: uuid(({ sellerId }) => sellerId),
  amount_cents: bigint(({ amountCents }) => amountCents),
  method: text(({ destination }) => destination.method),
  pix_key: text((withdrawal) => pixKeyOf(withdrawal)?.key ?? null),
  pix_key_kind: text((withdrawal) => pixKeyOf(withdrawal)?.kind ?? null),
  bank_data: jsonb(bankDataOf),
  payout_id: text(({ payoutId }) => payoutId),
  status: text(({ status }) => status),
  created_at: timestamptz(({ createdAt }) => createdAt),
})

function pixKeyOf({ destination }: Withdrawal) {
  return destination.method === "pix" ? destination.pixKey : null
}

function bankDataOf({ destination }: Withdrawal): string | null {
  return destination.method === "bank_transfer" ? JSON.stringify(destination.bankData) : null
}

export async function insertWithdrawals(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<void> {
  await prepared("insert-withdrawals")`
    insert into withdrawals (${newWithdrawals.columns}) select * from ${newWithdrawals.of(withdrawals)}`.execute(tx)
}

export async function findWithdrawals(db: Db, ids: string[]): Promise<Withdrawal[]> {
  const rows = await db.selectFrom("withdrawals").selectAll().where("id", "in", ids).execute()
  return rows.map(toWithdrawal)
}

export async function lockWithdrawal(tx: Tx, id: string): Promise<Withdrawal | null> {
  const row = await tx.selectFrom("withdrawals").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toWithdrawal(row)
}

/** The caller must have locked the row. */
export async function updateWithdrawal(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<Schema["withdrawals"]>, "id">,
): Promise<Withdrawal> {
  const row = await tx
    .updateTable("withdrawals")
    .set(changes)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toWithdrawal(row)
}

interface Claim {
  provider: string
  now: Date
  leaseUntil: Date
  limit: number
}

/** Leases approved withdrawals, oldest first; other nodes skip them. */
export async function claimApproved(tx: Tx, { provider, now, leaseUntil, limit }: Claim): Promise<Withdrawal[]> {
  const { rows } = await sql<Row>`
    update withdrawals
    set status = 'processing', provider = ${provider}, sent_at = ${now}, next_attempt_at = ${leaseUntil},
      attempts = attempts + 1
    where id in (
      select id from withdrawals
      where status = 'approved' and method = 'pix' and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${limit} for update skip locked
    ) returning *`.execute(tx)
  return rows.map(toWithdrawal)
}

/** Approved Pix withdrawals that the provider can't send are paid by hand, and no later provider sends them again. */
export async function leaveApprovedToPeople(tx: Tx): Promise<void> {
  await tx
    .updateTable("withdrawals")
    .set({ next_attempt_at: null })
    .where("status", "=", "approved")
    .where("next_attempt_at", "is not", null)
    .execute()
}

export async function findProcessingByPayout(
  db: Db,
  { provider, payoutIds }: { provider: string; payoutIds: string[] },
): Promise<Withdrawal[]> {
  if (payoutIds.length === 0) return []
  const rows = await db
    .selectFrom("withdrawals")
    .selectAll()
    .where("payout_id", "in", payoutIds)
    .where("provider", "=", provider)
    .where("status", "=", "processing")
    .execute()
  return rows.map(toWithdrawal)
}

export async function findByPayoutIds(db: Db, payoutIds: string[]): Promise<Withdrawal[]> {
  if (payoutIds.length === 0) return []
  const rows = await db.selectFrom("withdrawals").selectAll().where("payout_id", "in", payoutIds).execute()
  return rows.map(toWithdrawal)
}

export async function claimProcessingWithdrawals(
  tx: Tx,
  { provider, now, leaseUntil, limit }: Claim,
): Promise<Withdrawal[]> {
  const { rows } = await sql<Row>`
    update withdrawals set next_attempt_at = ${leaseUntil}, attempts = attempts + 1
    where id in (
      select id from withdrawals
      where status = 'processing' and provider = ${provider} and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${limit} for update skip locked
    ) returning *`.execute(tx)
  return rows.map(toWithdrawal)
}

export async function postponeProcessingWithdrawal(tx: Tx, id: string, until: Date): Promise<void> {
  await tx
    .updateTable("withdrawals")
    .set({ next_attempt_at: until })
    .where("id", "=", id)
    .where("status", "=", "processing")
    .execute()
}

export function toWithdrawal(row: Row): Withdrawal {
  return {
    id: row.id,
    sellerId: row.seller_id,
    amountCents: row.amount_cents,
    destination: destinationOf(row),
    payoutId: row.payout_id,
    status: row.status,
    isPaidByHand: row.method === "bank_transfer" || wasNeverToBeSent(row),
    provider: row.provider,
    endToEndId: row.end_to_end_id,
    adminNotes: row.admin_notes,
    failureReason: row.failure_reason,
    attempts: row.attempts,
    createdAt: row.created_at,
    approvedAt: row.approved_at,
    sentAt: row.sent_at,
    processedAt: row.processed_at,
  }
}

function wasNeverToBeSent({ approved_at, next_attempt_at, attempts }: Row): boolean {
  return approved_at !== null && next_attempt_at === null && attempts === 0
}

export function destinationOf(row: Pick<Row, "pix_key" | "pix_key_kind" | "bank_data" | "id">): Destination {
  if (row.pix_key !== null && row.pix_key_kind !== null) {
    return { method: "pix", pixKey: { kind: row.pix_key_kind, key: row.pix_key } }
  }
  invariant(row.bank_data !== null, `${row.id} has no destination`)
  return { method: "bank_transfer", bankData: row.bank_data }
}

export async function readOldestPayoutUnderWay(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await sql<{ count: number; oldestAt: Date | null }>`
    select count(*) as count, min(coalesce(approved_at, created_at)) as "oldestAt"
    from withdrawals where status = 'processing'`.execute(db)
  return rows[0] ?? { count: 0, oldestAt: null }
}
