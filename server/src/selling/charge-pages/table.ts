import { payablePageStatuses } from "@tilinta/contract/vocabulary/charge-pages"
import { sql } from "kysely"
import { wordList } from "#db/prepared"
import type { ChangedRow, NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { findChargePage } from "./reads.ts"
import type { ChargePage, Order, Suspension } from "./rules.ts"

type Fixed = "id" | "seller_id" | "unique_link" | "is_single" | "is_invoice" | "is_unlisted" | "created_at"
type Apart = "payments_count" | "folded_below" | "counted_at_once" | "deleted_at" | "suspended_at" | "suspended_for"

function changeableColumns(page: ChargePage) {
  return {
    title: page.title,
    description: page.description,
    amount_cents: page.amountCents,
    max_amount_cents: page.choice?.maxCents ?? null,
    suggested_cents: page.choice?.suggestedCents ?? [],
    slug: page.slug,
    status: page.status,
    allow_anonymous: page.allowAnonymous,
    require_name: page.requireName,
    require_email: page.requireEmail,
    require_phone: page.requirePhone,
    require_cpf: page.requireCpf,
    expires_in_hours: page.expiresInHours,
    expires_at: page.expiresAt,
    max_payments: page.maxPayments,
    updated_at: page.updatedAt,
  } satisfies ChangedRow<"charge_pages", Fixed | Apart>
}

export async function insertChargePage(tx: Tx, page: ChargePage): Promise<void> {
  await tx
    .insertInto("charge_pages")
    .values({
      id: page.id,
      seller_id: page.sellerId,
      unique_link: page.uniqueLink,
      created_at: page.createdAt,
      is_single: page.isSingle,
      is_invoice: page.isInvoice,
      is_unlisted: page.isUnlisted,
      counted_at_once: page.maxPayments !== null,
      ...changeableColumns(page),
    } satisfies NewRow<"charge_pages", Exclude<Apart, "counted_at_once">>)
    .execute()
}

export async function updateChargePageRow(tx: Tx, page: ChargePage): Promise<void> {
  await tx.updateTable("charge_pages").set(changeableColumns(page)).where("id", "=", page.id).execute()
}

/** Claims the slug for ever. False when it belongs to another page. */
export async function takeSlug(tx: Tx, slug: string, pageId: string): Promise<boolean> {
  await tx
    .insertInto("charge_page_slugs")
    .values({ slug, page_id: pageId } satisfies NewRow<"charge_page_slugs", "created_at">)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx.selectFrom("charge_page_slugs").select("page_id").where("slug", "=", slug).executeTakeFirst()
  return row?.page_id === pageId
}

/** Read after the lock: a statement that had waited for it would count what was folded meanwhile twice. */
export async function lockChargePage(tx: Tx, id: string): Promise<ChargePage | null> {
  await lockChargePages(tx, [id])
  return findChargePage(tx, id)
}

/** Locks in the order of ids, like every writer. Includes deleted pages: their payments are still money. */
export async function lockChargePages(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.selectFrom("charge_pages").select("id").where("id", "in", ids).orderBy("id").forUpdate().execute()
}

export async function lockSinglePageRows(tx: Tx, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from charge_pages where id = any(${ids}::uuid[]) and is_single and not is_invoice and deleted_at is null
    order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function markChargePageDeleted(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable("charge_pages").set({ deleted_at: now, updated_at: now }).where("id", "=", id).execute()
}

/** Also of a deleted page. The caller must have locked the row. */
export async function updateSuspension(tx: Tx, id: string, suspension: Suspension | null, now: Date): Promise<void> {
  await tx
    .updateTable("charge_pages")
    .set({ suspended_at: suspension?.since ?? null, suspended_for: suspension?.reason ?? null, updated_at: now })
    .where("id", "=", id)
    .execute()
}

export async function markExpiredChargePages(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update charge_pages set status = 'expired', updated_at = ${now}
    where id in (
      select page.id
      from active_charge_pages active join charge_pages page on page.id = active.page_id
      where page.status in ${wordList(payablePageStatuses)} and active.expires_at <= ${now}
      order by active.expires_at limit ${limit} for update of page skip locked
    ) returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function markPagesExpired(tx: Tx, ids: string[], now: Date): Promise<void> {
  await sql`
    update charge_pages set status = 'expired', updated_at = ${now}
    where id = any(${ids}::uuid[]) and status in ${wordList(payablePageStatuses)}`.execute(tx)
}

export async function markActivePagesCancelled(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await sql`
    with locked as materialized (
      select id from charge_pages
      where status = 'active' and id in (
        select page_id from active_charge_pages where seller_id = ${sellerId}
        union all
        select page_id from invoices where seller_id = ${sellerId} and status = 'open'
      )
      order by id::text for update
    )
    update charge_pages page set status = 'cancelled', updated_at = ${now} from locked where page.id = locked.id`.execute(
    tx,
  )
}

/** The bookings that are under way end first, others wait. */
export async function startCountingAtOnce(tx: Tx, { id, sellerId }: { id: string; sellerId: string }): Promise<void> {
  await sql`select count_page_at_once(${id}, ${sellerId})`.execute(tx)
}

export interface OrderOfPage {
  pageId: string
  sellerId: string
  order: Order
}

/** Serialises all who want this reference, so that the next reading knows whether it is held. */
export async function lockReference(tx: Tx, sellerId: string, externalReference: string): Promise<void> {
  const name = `order:${sellerId}:${externalReference}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

export async function upsertOrder(tx: Tx, { pageId, sellerId, order }: OrderOfPage): Promise<void> {
  const changes = {
    external_reference: order.externalReference,
    metadata: JSON.stringify(order.metadata),
    return_url: order.returnUrl,
  }
  await tx
    .insertInto("orders")
    .values({ page_id: pageId, seller_id: sellerId, ...changes } satisfies NewRow<"orders", "is_released">)
    .onConflict((conflict) => conflict.column("page_id").doUpdateSet(changes))
    .execute()
}

export async function markReferenceReleased(tx: Tx, pageId: string): Promise<void> {
  await tx.updateTable("orders").set({ is_released: true }).where("page_id", "=", pageId).execute()
}
