import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type Selectable, sql, type Updateable } from "kysely"
import { type NewRow, uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { sellerAvailable } from "#ledger/accounts"
import { lockBalances } from "#ledger/post-transactions"
import { isFrozen } from "#people/freezes/reads"
import { currentMacs, macOf } from "#platform/order-macs/macs"
import { toHandSettlement, toWithdrawal, type WithdrawalRow } from "./reads.ts"
import { destinationColumns, type HandSettlement, requestOrder, type Withdrawal } from "./withdrawal.ts"

/** Serialises those that count against the limit of the whole platform. */
export async function lockPlatformLimit(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('platform-withdrawal-limit', 0))`.execute(tx)
}

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
  | "approval_mac"
  | "xid"

export async function insertWithdrawal(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const row: NewRow<"withdrawals", Undecided> = {
    id: withdrawal.id,
    seller_id: withdrawal.sellerId,
    amount_cents: withdrawal.amountCents,
    ...destinationColumns(withdrawal.destination),
    payout_id: withdrawal.payoutId,
    status: withdrawal.status,
    created_at: withdrawal.createdAt,
    api_key_id: withdrawal.apiKeyId,
    held_until: withdrawal.heldUntil,
    hold_reasons: JSON.stringify(withdrawal.holdReasons),
    request_mac: macOf(requestOrder(withdrawal)),
  }
  await tx.insertInto("withdrawals").values(row).execute()
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
 * Those that are neither paid nor returned, of the person's own shop and what they asked for as an owner of another, who may
 * have left it since. Locked in the order of their ids.
 */
export async function lockUnpaidOf(tx: Tx, personId: string): Promise<Withdrawal[]> {
  const theirs = sql<string>`(
    select id from withdrawals where seller_id = ${personId}
    union select entity_id::uuid from audit_records
    where actor_id = ${personId} and action = 'withdrawal.requested' and entity = 'withdrawal'
  )`
  const unpaid = tx.selectFrom("withdrawals").selectAll().where("status", "in", ["pending", "approved", "processing"])
  const rows = await unpaid.where("id", "in", theirs).orderBy("id").forUpdate().execute()
  return rows.map(toWithdrawal)
}

/** The caller must have locked the row. What went back to the balance loses its MACs: nothing of it may be sent again. */
export async function updateWithdrawal(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<Schema["withdrawals"]>, "id">,
): Promise<Withdrawal> {
  const isReturned = changes.status === "rejected" || changes.status === "cancelled"
  const row = await tx
    .updateTable("withdrawals")
    .set(isReturned ? { ...changes, request_mac: null, approval_mac: null } : changes)
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

/** Approved withdrawals of active, unfrozen sellers, oldest first; other nodes skip them. */
export async function lockApproved(tx: Tx, { now, limit }: Pick<Claim, "now" | "limit">): Promise<Withdrawal[]> {
  const { rows } = await sql<WithdrawalRow>`
    select withdrawal.* from withdrawals withdrawal
    where withdrawal.status = 'approved' and withdrawal.method = 'pix' and withdrawal.next_attempt_at <= ${now}
      and exists (select from users seller where seller.id = withdrawal.seller_id and seller.active)
      and (withdrawal.held_until is null or withdrawal.held_until <= ${now})
      and not ${isFrozen(sql.ref("withdrawal.seller_id"))}
    order by withdrawal.next_attempt_at, withdrawal.id limit ${limit} for update of withdrawal skip locked`.execute(tx)
  return rows.map(toWithdrawal)
}

/** Leases locked ones. */
export async function claimApproved(
  tx: Tx,
  ids: readonly string[],
  { provider, now, leaseUntil }: Claim,
): Promise<Withdrawal[]> {
  const { rows } = await sql<WithdrawalRow>`
    update withdrawals
    set status = 'processing', provider = ${provider}, sent_at = ${now}, next_attempt_at = ${leaseUntil},
      attempts = attempts + 1
    where id = any(${uuidList(ids)}) returning *`.execute(tx)
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

export async function claimProcessingWithdrawals(
  tx: Tx,
  { provider, now, leaseUntil, limit }: Claim,
): Promise<Withdrawal[]> {
  const { rows } = await sql<WithdrawalRow>`
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
  const { rows } = await sql<WithdrawalRow>`
    update withdrawals withdrawal set sending_at = ${now}
    from users seller
    where withdrawal.id = ${id} and seller.id = withdrawal.seller_id and seller.active
      and (withdrawal.held_until is null or withdrawal.held_until <= ${now})
      and not ${isFrozen(sql.ref("seller.id"))}
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

export async function lockHandSettlement(tx: Tx, subjectId: string): Promise<HandSettlement | null> {
  const row = await tx
    .selectFrom("hand_settlements")
    .selectAll()
    .where("subject_id", "=", subjectId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toHandSettlement(row)
}

/** Replaces an earlier word that has not taken effect. */
export async function saveHandSettlement(tx: Tx, settlement: HandSettlement): Promise<void> {
  const { subjectId, subject } = settlement
  const changes = {
    outcome: settlement.outcome,
    end_to_end_id: settlement.endToEndId,
    reason: settlement.reason,
    proposed_by: settlement.proposedBy,
    proposed_at: settlement.proposedAt,
    confirmed_by: settlement.confirmedBy,
    settled_at: settlement.settledAt,
    mac: settlement.mac,
  }
  await tx
    .insertInto("hand_settlements")
    .values({ subject_id: subjectId, subject, ...changes } satisfies NewRow<"hand_settlements">)
    .onConflict((conflict) => conflict.column("subject_id").doUpdateSet(changes))
    .execute()
}

/** Words that have not taken effect; those that another person agreed to go with them. */
export async function deleteWaitingWordsOf(tx: Tx, adminId: string): Promise<void> {
  await tx
    .deleteFrom("hand_settlements")
    .where("settled_at", "is", null)
    .where((row) => row.or([row("proposed_by", "=", adminId), row("confirmed_by", "=", adminId)]))
    .execute()
}

/** In the order of their ids; paid ones, too, as they may come back. */
export async function lockWithdrawalsOfFormerKey(
  tx: Tx,
  secretKeys: SecretKeys,
  { after, limit }: { after: string | null; limit: number },
): Promise<Withdrawal[]> {
  const current = currentMacs(secretKeys)
  const { rows } = await sql<WithdrawalRow>`
    select * from withdrawals
    where (request_mac not like ${current} or approval_mac not like ${current})
      and (${after}::uuid is null or id > ${after})
    order by id limit ${limit} for update`.execute(tx)
  return rows.map(toWithdrawal)
}

interface WordOnMoney extends HandSettlement {
  amountCents: Cents
  sellerId: string | null
}

/** Words that have not taken effect, with the money that they are about. */
export async function lockWordsOfFormerKey(tx: Tx, secretKeys: SecretKeys): Promise<WordOnMoney[]> {
  const { rows } = await sql<Selectable<Schema["hand_settlements"]> & Pick<WordOnMoney, "amountCents" | "sellerId">>`
    select said.*, coalesce(withdrawal.amount_cents, refund.amount_cents) as "amountCents",
      coalesce(withdrawal.seller_id, refund.seller_id) as "sellerId"
    from hand_settlements said
    left join withdrawals withdrawal on withdrawal.id = said.subject_id
    left join refunds refund on refund.id = said.subject_id
    where said.settled_at is null and said.mac not like ${currentMacs(secretKeys)} for update of said`.execute(tx)
  return rows.map(({ amountCents, sellerId, ...row }) => ({ ...toHandSettlement(row), amountCents, sellerId }))
}

/**
 * Call it before changing a withdrawal that gives money back. A request locks the seller's balance and then the totals,
 * so locking the totals first and the balance then would deadlock with it.
 */
export async function lockForReturn(tx: Tx, { sellerId }: { sellerId: string }): Promise<void> {
  await lockBalances(tx, [sellerAvailable(sellerId)])
}
