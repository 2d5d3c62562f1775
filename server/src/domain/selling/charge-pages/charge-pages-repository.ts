import { type ChargePageStatus, payablePageStatuses } from "@tilinta/contract/vocabulary/charge-page-status"
import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from "kysely"
import { foldedPattern } from "#db/holds-text"
import type { ListRange } from "#db/list-range"
import { type PastRow, pastRows } from "#db/past-rows"
import type { ChangedRow, NewRow } from "#db/row-types"
import { type Days, momentWithin } from "#db/sao-paulo-days"
import type { Schema } from "#db/schema"
import { wordList } from "#db/sql-part"
import type { Db, Tx } from "#db/transaction"
import { invariant } from "#kit/invariant"
import type { ChargePage, Suspension } from "./charge-page.ts"
import { chargePagesFound } from "./found-charge-pages-repository.ts"
import { noOrder, type Order } from "./order.ts"
import { orderOf, pagesWithReference } from "./orders-repository.ts"

type Row = Selectable<Schema["charge_pages"]> & { uncounted: number; order: Order | null }

/** The payments of one page that `payments_count` does not include yet. Read it in the same statement. */
function uncountedOf(page: string): RawBuilder<number> {
  const [seller, id] = [sql.ref(`${page}.seller_id`), sql.ref(`${page}.id`)]
  return sql<number>`coalesce((select count from page_payments where seller_id = ${seller} and page_id = ${id}), 0)`
}

/** As `uncountedOf` of `page`, read once for a seller's list. */
function uncountedAmong(sellerId: string): RawBuilder<number> {
  return sql<number>`coalesce((
    with waiting as materialized (select page_id, count from page_payments where seller_id = ${sellerId})
    select count from waiting where page_id = page.id
  ), 0)`
}

const withCount = uncountedOf("charge_pages").as("uncounted")
const withOrder = orderOf("charge_pages").as("order")

export function toChargePage(row: Row): ChargePage {
  return {
    id: row.id,
    sellerId: row.seller_id,
    title: row.title,
    description: row.description,
    amountCents: row.amount_cents,
    uniqueLink: row.unique_link,
    slug: row.slug,
    status: row.status,
    allowAnonymous: row.allow_anonymous,
    requireName: row.require_name,
    requireEmail: row.require_email,
    requirePhone: row.require_phone,
    requireCpf: row.require_cpf,
    expiresInHours: row.expires_in_hours,
    expiresAt: row.expires_at,
    maxPayments: row.max_payments,
    isSingle: row.is_single,
    order: row.order ?? noOrder,
    paymentsCount: row.payments_count + row.uncounted,
    suspension: suspensionOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function suspensionOf({ suspended_at: since, suspended_for: reason }: Row): Suspension | null {
  return since === null || reason === null ? null : { since, reason }
}

type Fixed = "id" | "seller_id" | "unique_link" | "is_single" | "created_at"
type Apart = "payments_count" | "folded_below" | "counted_at_once" | "deleted_at" | "suspended_at" | "suspended_for"

function changeableColumns(page: ChargePage) {
  return {
    title: page.title,
    description: page.description,
    amount_cents: page.amountCents,
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

interface NumberedSlug {
  wished: string
  /** 1 is the slug without a number. */
  from: number
  maxLength: number
  /** A page's own slugs count as free. */
  ownPageId: string | null
}

/**
 * A number whose slug is free: the first one up to 20, beyond that by doubling and bisecting, so that fifty thousand taken
 * slugs cost some thirty index lookups.
 */
export async function findFreeSlugNumber(
  db: Db,
  { wished, from, maxLength, ownPageId }: NumberedSlug,
): Promise<number> {
  const isTaken = (number: "number" | "high" | "middle") => sql<boolean>`exists (
    select from charge_page_slugs
    where page_id is distinct from ${ownPageId}::uuid and slug = case ${sql.ref(number)}
      when 1 then ${wished}::text
      else left(${wished}::text, ${maxLength}::integer - 1 - length(${sql.ref(number)}::text)) || '-' || ${sql.ref(number)}
    end
  )`
  const { rows } = await sql<{ free: number }>`
    with recursive near as materialized (
      select number from generate_series(${from}::bigint, 20) number where not ${isTaken("number")} order by number limit 1
    ), doubled (low, high) as (
      select 20::bigint, 40::bigint where not exists (select from near)
      union all
      select high, high * 2 from doubled where ${isTaken("high")}
    ), bisected (low, high) as (
      (select low, high from doubled order by high desc limit 1)
      union all
      select case when ${isTaken("middle")} then middle else low end, case when ${isTaken("middle")} then high else middle end
      from (select low, high, (low + high) / 2 as middle from bisected where high - low > 1) halved
    )
    select coalesce((select number from near), (select min(high) from bisected)) as free`.execute(db)
  return Number(rows[0]?.free)
}

export async function findChargePage(db: Db, id: string): Promise<ChargePage | null> {
  const row = await db
    .selectFrom("charge_pages")
    .selectAll()
    .select([withCount, withOrder])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst()
  return row === undefined ? null : toChargePage(row)
}

export type Creation = Pick<ChargePage, "id" | "uniqueLink" | "slug" | "createdAt">

/** A page's own facts at its creation, also of a deleted page. */
export async function getCreation(db: Db, id: string): Promise<Creation> {
  const { rows } = await sql<Creation>`
    select page.id, page.unique_link as "uniqueLink", page.created_at as "createdAt", first.slug
    from charge_pages page
    cross join lateral (
      select slug from charge_page_slugs where page_id = page.id order by created_at, slug limit 1
    ) first
    where page.id = ${id}`.execute(db)
  const [creation] = rows
  invariant(creation !== undefined, `page ${id} was created without a slug`)
  return creation
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

/** Also of a deleted page. */
export async function getTitle(db: Db, id: string): Promise<string> {
  const { title } = await db.selectFrom("charge_pages").select("title").where("id", "=", id).executeTakeFirstOrThrow()
  return title
}

export async function lockSinglePageRows(tx: Tx, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from charge_pages where id = any(${ids}::uuid[]) and is_single and deleted_at is null
    order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Looks up the unique link, then the slug, then former slugs; the slug table holds both of the latter. */
export async function findChargePageByLink(db: Db, link: string): Promise<ChargePage | null> {
  const { rows } = await sql<Row>`
    select page.*, ${uncountedOf("page")} as uncounted, ${orderOf("page")} as "order" from charge_pages page
    where page.id = coalesce(
      (select id from charge_pages where unique_link = ${link}),
      (select page_id from charge_page_slugs where slug = ${link})
    ) and page.deleted_at is null`.execute(db)
  return rows[0] === undefined ? null : toChargePage(rows[0])
}

/** Matches title or description, each by its own index. */
export function pageHolds(search: string): RawBuilder<SqlBool> {
  const pattern = foldedPattern(search)
  return sql<SqlBool>`(search_text like ${pattern} or description_text like ${pattern})`
}

/** The same, or the order's reference. */
function sellersPageHolds(search: string, sellerId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${pageHolds(search)} or id in (${pagesWithReference(search, sellerId)}))`
}

export interface ChargePageFilter extends ListRange, Days {
  sellerId: string
  status?: ChargePageStatus | undefined
  /** Both kinds when absent. */
  isSingle?: boolean | undefined
  search?: string | undefined
  /** This page alone, if it fits the rest. */
  id?: string | undefined
}

type PageQuery<O> = SelectQueryBuilder<Schema, "charge_pages", O>

function filtered<O>(query: PageQuery<O>, filter: ChargePageFilter): PageQuery<O> {
  const { sellerId, status, isSingle, search, id } = filter
  let narrowed = query.where("seller_id", "=", sellerId).where("deleted_at", "is", null)
  if (status !== undefined) narrowed = narrowed.where("status", "=", status)
  if (isSingle !== undefined)
    narrowed = narrowed.where(isSingle ? sql<boolean>`is_single` : sql<boolean>`not is_single`)
  for (const condition of momentWithin("created_at", filter)) narrowed = narrowed.where(condition)
  if (search) narrowed = narrowed.where(sellersPageHolds(search, sellerId))
  if (id !== undefined) narrowed = narrowed.where("id", "=", id)
  return narrowed
}

export async function listChargePageRows(db: Db, filter: ChargePageFilter): Promise<ChargePage[]> {
  const conditions = [
    ...(filter.search ? [sellersPageHolds(filter.search, filter.sellerId)] : []),
    ...(filter.id === undefined ? [] : [sql<SqlBool>`page.id = ${filter.id}`]),
  ]
  const holds = conditions.length === 0 ? undefined : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
  const { rows } = await sql<Row>`
    select page.*, ${uncountedAmong(filter.sellerId)} as uncounted, ${orderOf("page")} as "order"
    from (${chargePagesFound({ ...filter, holds })}) page
    order by page.created_at desc, page.id desc`.execute(db)
  return rows.map(toChargePage)
}

export async function countFoundChargePages(db: Db, filter: ChargePageFilter): Promise<number> {
  const row = await filtered(
    db.selectFrom("charge_pages").select((page) => page.fn.countAll<number>().as("count")),
    filter,
  ).executeTakeFirstOrThrow()
  return row.count
}

export async function readChargePageCounts(db: Db, sellerId: string): Promise<Map<ChargePageStatus, number>> {
  const rows = await db
    .selectFrom("charge_page_totals")
    .select(["status", "count"])
    .where("seller_id", "=", sellerId)
    .execute()
  return new Map(rows.map((row) => [row.status, row.count]))
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

export async function findPastChargePages(db: Db, past: readonly PastRow[]): Promise<Map<number, ChargePage>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<Row & { sequence: number }>`
    select past.sequence, was.*, 0 as uncounted,
      case when past.state ? 'order' then past.state -> 'order' else to_jsonb(${orderOf("was")}) end as "order"
    from ${pastRows("charge_pages", past)}`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toChargePage(row)]))
}

export async function markActivePagesCancelled(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await sql`
    with locked as materialized (
      select id from charge_pages
      where id in (select page_id from active_charge_pages where seller_id = ${sellerId}) and status = 'active'
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
