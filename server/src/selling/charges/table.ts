import { closedStatusOf, openChargeStatuses } from "@tilinta/contract/vocabulary/transactions"
import { type RawBuilder, sql } from "kysely"
import { wordCase, wordList } from "#db/prepared"
import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { publishRemovalsDue } from "#events/events"
import { startOfDay } from "#kit/clock"
import { feeColumns } from "#selling/charge-pages/fee-columns"
import { toCharge } from "./reads.ts"
import { type Charge, type DueRemoval, type Favourite, removableWhenAnswered } from "./rules.ts"

function columnsOf(charge: Charge) {
  return {
    id: charge.id,
    seller_id: charge.sellerId,
    page_id: charge.pageId,
    txid: charge.txid,
    provider: charge.provider,
    status: charge.status,
    amount_cents: charge.amountCents,
    ...feeColumns(charge.fee),
    fee_cents: charge.feeCents,
    net_cents: charge.netCents,
    page_title: charge.pageTitle,
    description: charge.description,
    expires_at: charge.expiresAt,
    payer_name: charge.payer.name,
    payer_email: charge.payer.email,
    payer_document: charge.payer.cpf ?? charge.payer.cnpj,
    payer_phone: charge.payer.phone,
    payer_erased_at: charge.payerErasedAt,
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
  | "asked_for"

/** An accepted unmatched payment becomes a charge that is paid from the start, a debit's one that is paid at once. */
export async function insertWholeCharge(tx: Tx, charge: Charge): Promise<void> {
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

interface PaidAsAccepted {
  chargeId: string
  /** The page that this payment completed. */
  completedPageId: string | null
}

/** The charge that the accepted payment names, or that is suggested for it, is paid by it. Null when there is none to pay. */
export async function payNamedCharge(
  tx: Tx,
  { endToEndId, amountCents, feeCents, updatedAt: now }: Charge,
): Promise<PaidAsAccepted | null> {
  const { rows } = await sql<PaidAsAccepted>`
    select charge_id as "chargeId", completed_page_id as "completedPageId"
    from pay_as_accepted(${endToEndId}, ${amountCents}, ${feeCents}, ${now}, ${removableWhenAnswered(now)})`.execute(tx)
  return rows[0] ?? null
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

/** Whether the provider has the charge to remove; after no answer at all, once it has surely given one. */
export type RemovalAfterFailure = "none" | "due" | "due_later"

export async function markChargeFailed(tx: Tx, id: string, removal: RemovalAfterFailure, now: Date): Promise<void> {
  const isRemoved = removal !== "none"
  await tx
    .updateTable("charges")
    .set({
      status: "failed",
      removal: isRemoved ? "due" : "none",
      updated_at: now,
      ...(removal === "due_later" && { removal_not_before: removableWhenAnswered(now) }),
    })
    .where("id", "=", id)
    .where("status", "=", "creating")
    .execute()
  if (isRemoved) await publishRemovalsDue(tx)
}

/** The provider answered for a charge that was ended meanwhile, so its code exists and can be removed at once. */
export async function markUnopenedChargeDue(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    update charges set status = 'failed', removal = 'due', removal_not_before = ${now}, updated_at = ${now}
    where id = ${id} and status in ${wordList(["creating", closedStatusOf.creating])}`.execute(tx)
  await publishRemovalsDue(tx)
}

export async function markUnfinishedChargesFailed(
  tx: Tx,
  createdBefore: Date,
  now: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update charges set status = 'failed', removal = 'due', updated_at = ${now}
    where id in (
      select charge.id from unfinished_charges unfinished join charges charge on charge.id = unfinished.charge_id
      where charge.status = 'creating' and unfinished.created_at < ${createdBefore}
      order by unfinished.created_at limit ${limit} for update of charge skip locked
    )`.execute(tx)
  const failed = Number(numAffectedRows ?? 0)
  if (failed > 0) await publishRemovalsDue(tx)
  return failed
}

interface ClosedCharge {
  id: string
  seller_id: string
}

interface CancelledCharge extends ClosedCharge {
  page_id: string
}

export async function markOpenChargesCancelled(
  tx: Tx,
  { pageId, expiringAfter, now }: { pageId: string; expiringAfter: Date | undefined; now: Date },
): Promise<CancelledCharge[]> {
  const ofPage = sql<boolean>`open.page_id = ${pageId}
    and (${expiringAfter ?? null}::timestamptz is null or open.expires_at > ${expiringAfter ?? null})`
  return markCancelled(tx, ofPage, now)
}

export async function markSellersOpenChargesCancelled(tx: Tx, sellerId: string, now: Date): Promise<CancelledCharge[]> {
  return markCancelled(tx, sql<boolean>`open.seller_id = ${sellerId}`, now)
}

async function markCancelled(tx: Tx, which: RawBuilder<boolean>, now: Date): Promise<CancelledCharge[]> {
  const isOpen = sql<boolean>`status in ${wordList(openChargeStatuses)}`
  const ids = await lockInOrder(
    tx,
    sql<boolean>`id in (select open.charge_id from open_charges open where ${which}) and ${isOpen}`,
  )
  if (ids.length === 0) return []
  const { rows } = await sql<CancelledCharge>`
    update charges
    set status = ${wordCase("status", closedStatusOf)}, removal = 'due', updated_at = ${now},
      removal_not_before = case status when 'creating' then ${removableWhenAnswered(now)} else removal_not_before end
    where id = any(${ids}::uuid[]) returning id, seller_id, page_id`.execute(tx)
  await publishRemovalsDue(tx)
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
      select charge.id from open_charges open join charges charge on charge.id = open.charge_id
      where charge.status = 'pending' and open.expires_at <= ${endedBefore}
      order by open.expires_at limit ${limit} for update of charge skip locked
    ) returning id, seller_id`.execute(tx)
  if (rows.length > 0) await publishRemovalsDue(tx)
  return rows
}

export interface RemovalClaim {
  /** Only the provider that has a charge can remove it. */
  provider: string
  now: Date
  limit: number
}

/** Leases charges with a due removal for half a minute; unfinished ones are claimed again afterwards. */
export async function claimDueRemovals(tx: Tx, { provider, now, limit }: RemovalClaim): Promise<DueRemoval[]> {
  const { rows } = await sql<DueRemoval>`
    update charges set removal_not_before = ${new Date(now.getTime() + 30_000)}
    where id in (
      select id from charges where removal = 'due' and provider = ${provider} and removal_not_before <= ${now}
      order by removal_not_before limit ${limit} for update skip locked
    ) returning id, txid, updated_at as "endedAt", expires_at as "expiresAt"`.execute(tx)
  return rows
}

export async function updateNextRemovals(tx: Tx, postponed: { id: string; until: Date }[]): Promise<void> {
  if (postponed.length === 0) return
  const ids = postponed.map(({ id }) => id)
  await lockInOrder(tx, sql<boolean>`id = any(${ids}::uuid[])`)
  await sql`
    update charges set removal_not_before = given.until
    from unnest(${ids}::uuid[], ${postponed.map(({ until }) => until)}::timestamptz[]) as given (id, until)
    where charges.id = given.id and removal = 'due'`.execute(tx)
}

/** Makes removals due again that a clock which was ahead postponed beyond every pause. */
export async function pullBackRemovals(tx: Tx, now: Date, longestPauseEnds: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update charges set removal_not_before = ${now}
    where id in (
      select id from charges where removal = 'due' and removal_not_before > ${longestPauseEnds}
      order by id::text for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function markRemovals(tx: Tx, ids: string[], removal: "done" | "given_up"): Promise<void> {
  if (ids.length === 0) return
  await lockInOrder(tx, sql<boolean>`id = any(${ids}::uuid[])`)
  await tx.updateTable("charges").set({ removal }).where("id", "in", ids).execute()
}

export async function giveUpLostRemovals(tx: Tx, expiredBefore: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from charges where removal = 'due' and expires_at < ${expiredBefore}
      and provider in (select provider from psp_connections where not is_connected)
    order by id limit 1000 for update skip locked`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await markRemovals(tx, ids, "given_up")
}

/** One statement: what is paid meanwhile goes into the next shift. False without new sales, which make none. */
export async function insertShiftOfNewSales(
  tx: Tx,
  shift: { id: string; sellerId: string; personId: string; sinceDay: string; now: Date },
): Promise<boolean> {
  const { id, sellerId, personId, sinceDay, now } = shift
  const { numAffectedRows } = await sql`
    with sold as (
      update counter_sales sale set shift_id = ${id} from charges charge
      where sale.seller_id = ${sellerId} and sale.sold_by = ${personId} and sale.shift_id is null
        and sale.created_at >= ${startOfDay(sinceDay)} and charge.id = sale.charge_id and charge.paid_at is not null
      returning sale.charge_id
    )
    insert into counter_shifts (id, seller_id, person_id, closed_at)
    select ${id}::uuid, ${sellerId}::uuid, ${personId}::uuid, ${now}::timestamptz where exists (select from sold)`.execute(
    tx,
  )
  return (numAffectedRows ?? 0n) > 0n
}

export async function saveFavouriteRow(
  tx: Tx,
  { sellerId, favourites, now }: { sellerId: string; favourites: readonly Favourite[]; now: Date },
): Promise<void> {
  const values = { favourites: JSON.stringify(favourites), updated_at: now }
  await tx
    .insertInto("counter_favourites")
    .values({ seller_id: sellerId, ...values })
    .onConflict((conflict) => conflict.column("seller_id").doUpdateSet(values))
    .execute()
}

export async function deleteFavouritesOf(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("counter_favourites").where("seller_id", "=", sellerId).execute()
}
