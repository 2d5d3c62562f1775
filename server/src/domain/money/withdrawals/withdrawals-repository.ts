import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { HoldReason } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { type Selectable, sql, type Updateable } from "kysely"
import { type PastRow, pastRows } from "#db/past-rows"
import { prepared } from "#db/prepared"
import type { NewRow } from "#db/row-types"
import { bigint, jsonb, rowsOf, text, timestamptz, uuid, uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import { targetOf } from "#domain/money/destinations/target"
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
  | "returned_cents"
  | "returned_at"
  | "return_reason"
  | "sending_at"
  | "paid_after_refusal_at"
  | "first_approved_by"
  | "xid"

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
  api_key_id: uuid(({ apiKeyId }) => apiKeyId),
  held_until: timestamptz(({ heldUntil }) => heldUntil),
  hold_reasons: jsonb(({ holdReasons }) => JSON.stringify(holdReasons)),
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

/** Clocks of two servers differ by less than a seller's withdrawals. */
const NEIGHBOURS = 3

/** The seller's nearest ones by the moment of the request, on both sides; those that came back whole paid nothing out. */
export async function findNeighbours(
  db: Db,
  { id, sellerId, createdAt }: Pick<Withdrawal, "id" | "sellerId" | "createdAt">,
): Promise<{ id: string; createdAt: Date }[]> {
  const paid = db
    .selectFrom("withdrawals")
    .select(["id", "created_at as createdAt"])
    .where("seller_id", "=", sellerId)
    .where("id", "<>", id)
    .where("status", "not in", ["rejected", "cancelled"])
    .limit(NEIGHBOURS)
  const [before, after] = await Promise.all([
    paid.where("created_at", "<", createdAt).orderBy("created_at", "desc").orderBy("id", "desc").execute(),
    paid.where("created_at", ">=", createdAt).orderBy("created_at").orderBy("id").execute(),
  ])
  return [...before, ...after]
}

/**
 * Whether the seller ever requested one in the browser that was paid to this destination, since it was removed where it was.
 */
export async function existsPaidFromBrowser(db: Db, withdrawal: Withdrawal): Promise<boolean> {
  const pixKey = pixKeyOf(withdrawal)
  const destination = pixKey === null ? sql`${bankDataOf(withdrawal)}::jsonb::text` : sql`${pixKey.key}::text`
  // Like the index; no Pix key looks like the JSON of bank data.
  const paid = db
    .selectFrom("withdrawals")
    .select("id")
    .where("seller_id", "=", withdrawal.sellerId)
    .where("status", "=", "completed")
    .where("api_key_id", "is", null)
    .where(sql<boolean>`md5(coalesce(pix_key, bank_data::text)) = md5(${destination})`)
    .where(sql<boolean>`coalesce(pix_key, bank_data::text) = ${destination}`)
    .where(
      sql<boolean>`created_at > coalesce((
        select removed_at from destinations
        where seller_id = ${withdrawal.sellerId} and target = ${targetOf(withdrawal.destination)}
      ), '-infinity')`,
    )
  return (await paid.limit(1).executeTakeFirst()) !== undefined
}

export async function existsCompletedOf(db: Db, sellerId: string): Promise<boolean> {
  const { rows } = await prepared<{ id: string }>("completed-withdrawal-of")`
    select id from withdrawals where seller_id = ${sellerId} and status = 'completed' limit 1`.execute(db)
  return rows.length > 0
}

export async function lockWithdrawal(tx: Tx, id: string): Promise<Withdrawal | null> {
  const row = await tx.selectFrom("withdrawals").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toWithdrawal(row)
}

/** Serialises approvals that are added up under these names, which are locked in one order. */
export async function lockApprovalSums(tx: Tx, names: readonly string[]): Promise<void> {
  for (const name of names.toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`withdrawal-approvals:${name}`}, 0))`.execute(tx)
  }
}

/**
 * By id, the larger of two sums: what one person alone approved since then for the seller, and to the destination, whoever's
 * it is and however it is spelled. Returned and refused ones left nothing.
 */
export async function sumApprovedAlone(db: Db, ids: readonly string[], since: Date): Promise<Map<string, Cents>> {
  const { rows } = await prepared<{ id: string; cents: Cents }>("sum-approved-alone")`
    select asked.id, greatest(of_seller.cents, of_target.cents) as cents
    from withdrawals asked
    cross join lateral (
      select coalesce(sum(amount_cents), 0)::bigint as cents from withdrawals
      where seller_id = asked.seller_id and approved_at > ${since} and first_approved_by is null
        and status in ('approved', 'processing', 'completed') and id <> asked.id
    ) of_seller
    cross join lateral (
      select coalesce(sum(amount_cents), 0)::bigint as cents from withdrawals
      where md5(shared_target(pix_key, bank_data)) = md5(shared_target(asked.pix_key, asked.bank_data))
        and approved_at > ${since} and first_approved_by is null
        and status in ('approved', 'processing', 'completed') and id <> asked.id
    ) of_target
    where asked.id = any(${uuidList(ids)})`.execute(db)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

/** Those that are neither paid nor returned, locked in the order of their ids. */
export async function lockUnpaidOf(tx: Tx, sellerId: string): Promise<Withdrawal[]> {
  const query = tx.selectFrom("withdrawals").selectAll().where("seller_id", "=", sellerId)
  const unpaid = query.where("status", "in", ["pending", "approved", "processing"])
  const rows = await unpaid.orderBy("id").forUpdate().execute()
  return rows.map(toWithdrawal)
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

/** Leases approved withdrawals of active, unfrozen sellers, oldest first; other nodes skip them. */
export async function claimApproved(tx: Tx, { provider, now, leaseUntil, limit }: Claim): Promise<Withdrawal[]> {
  const { rows } = await sql<Row>`
    update withdrawals
    set status = 'processing', provider = ${provider}, sent_at = ${now}, next_attempt_at = ${leaseUntil},
      attempts = attempts + 1
    where id in (
      select withdrawal.id from withdrawals withdrawal
      where withdrawal.status = 'approved' and withdrawal.method = 'pix' and withdrawal.next_attempt_at <= ${now}
        and exists (select from users seller where seller.id = withdrawal.seller_id and seller.active)
        and (withdrawal.held_until is null or withdrawal.held_until <= ${now})
        and not exists (select from freezes where user_id = withdrawal.seller_id and ended_at is null)
      order by withdrawal.next_attempt_at, withdrawal.id limit ${limit} for update of withdrawal skip locked
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

/** Payout ids of those that people settled as not paid since then. */
export async function findSettledAsNotPaid(
  db: Db,
  { provider, since }: { provider: string; since: Date },
): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string }>`
    select withdrawal.payout_id from hand_settlements said
    join withdrawals withdrawal on withdrawal.id = said.subject_id
    where said.subject = 'withdrawal' and said.outcome = 'not_paid' and said.settled_at >= ${since}
      and withdrawal.status = 'rejected' and withdrawal.provider = ${provider}
      and withdrawal.payout_id is not null`.execute(db)
  return rows.map((row) => row.payout_id)
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

/** Makes payouts due again that a clock which was ahead postponed beyond every pause. */
export async function pullBackPayouts(tx: Tx, now: Date, longestPauseEnds: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update withdrawals set next_attempt_at = ${now}
    where status in ('approved', 'processing') and next_attempt_at > ${longestPauseEnds}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Null unless it is still processing and not held, its seller is active and not frozen, and nobody has said by hand what
 * became of it. A freeze or a hold takes the row's lock, too: what is marked here first counts as sent.
 */
export async function markSending(tx: Tx, id: string, now: Date): Promise<Withdrawal | null> {
  const locked = await lockWithdrawal(tx, id)
  if (locked?.status !== "processing") return null
  const { rows } = await sql<Row>`
    update withdrawals withdrawal set sending_at = ${now}
    from users seller
    where withdrawal.id = ${id} and seller.id = withdrawal.seller_id and seller.active
      and (withdrawal.held_until is null or withdrawal.held_until <= ${now})
      and not exists (select from freezes where user_id = seller.id and ended_at is null)
      and not exists (select from hand_settlements said where said.subject_id = withdrawal.id)
    returning withdrawal.*`.execute(tx)
  return rows[0] === undefined ? null : toWithdrawal(rows[0])
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
    returnedCents: row.returned_cents,
    returnedAt: row.returned_at,
    returnReason: row.return_reason,
    sendingAt: row.sending_at,
    apiKeyId: row.api_key_id,
    heldUntil: row.held_until,
    holdReasons: row.hold_reasons as HoldReason[],
    wasSettledByHand: row.status === "completed" && row.sent_at !== null && row.settled_at === null,
    firstApprovedBy: row.first_approved_by,
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

export async function findPastWithdrawalRows(db: Db, past: readonly PastRow[]): Promise<Map<number, Withdrawal>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<Row & { sequence: number }>`
    select past.sequence, was.* from ${pastRows("withdrawals", past)}`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toWithdrawal(row)]))
}
