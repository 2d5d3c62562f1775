import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import { type Cents, percentageFromBasisPoints } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from "kysely"
import { comesAfter, type Days, foldedPattern, type ListRange, momentWithin } from "#db/list-range"
import { lookup, prepared } from "#db/prepared"
import { type PastRow, pastRows, textList, uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { invariant } from "#kit/errors"
import { getUser } from "#people/users/reads"
import { chargeTermKeys, chargeTermsOf, readChargeTerms } from "#platform/settings/reads"
import type { ChargeTerms } from "#platform/settings/rules"
import { type ChargePage, noOrder, type Order, type PageToCharge, type Suspension } from "./rules.ts"

type PageRow = Selectable<Schema["charge_pages"]> & { uncounted: number; order: Order | null }

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

export function toChargePage(row: PageRow): ChargePage {
  return {
    id: row.id,
    sellerId: row.seller_id,
    title: row.title,
    description: row.description,
    amountCents: row.amount_cents,
    choice: choiceOf(row.max_amount_cents, row.suggested_cents),
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
    isInvoice: row.is_invoice,
    isUnlisted: row.is_unlisted,
    order: row.order ?? noOrder,
    paymentsCount: row.payments_count + row.uncounted,
    suspension: suspensionOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function choiceOf(maxCents: Cents | null, suggestedCents: Cents[]): ChargePage["choice"] {
  return maxCents === null ? null : { maxCents, suggestedCents }
}

function suspensionOf({ suspended_at: since, suspended_for: reason }: PageRow): Suspension | null {
  return since === null || reason === null ? null : { since, reason }
}

interface NumberedSlug {
  requested: string
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
  { requested, from, maxLength, ownPageId }: NumberedSlug,
): Promise<number> {
  const isTaken = (number: "number" | "high" | "middle") => sql<boolean>`exists (
    select from charge_page_slugs
    where page_id is distinct from ${ownPageId}::uuid and slug = case ${sql.ref(number)}
      when 1 then ${requested}::text
      else left(${requested}::text, ${maxLength}::integer - 1 - length(${sql.ref(number)}::text)) || '-' || ${sql.ref(number)}
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

/** Also of a deleted page. */
export async function getTitle(db: Db, id: string): Promise<string> {
  const { title } = await db.selectFrom("charge_pages").select("title").where("id", "=", id).executeTakeFirstOrThrow()
  return title
}

/** Looks up the unique link, then the slug, then former slugs; the slug table holds both of the latter. */
export async function findChargePageByLink(db: Db, link: string): Promise<ChargePage | null> {
  const { rows } = await sql<PageRow>`
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
  let narrowed = query
    .where("seller_id", "=", sellerId)
    .where("deleted_at", "is", null)
    .where(sql<boolean>`not is_unlisted`)
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
  const { rows } = await sql<PageRow>`
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

export async function findPastChargePages(db: Db, past: readonly PastRow[]): Promise<Map<number, ChargePage>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<PageRow & { sequence: number }>`
    select past.sequence, was.*, 0 as uncounted,
      case when past.state ? 'order' then past.state -> 'order' else to_jsonb(${orderOf("was")}) end as "order"
    from ${pastRows("charge_pages", past)}`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toChargePage(row)]))
}

interface FoundPages extends ListRange, Days {
  /** Without a seller the list covers the whole platform. */
  sellerId?: string | undefined
  status?: ChargePageStatus | undefined
  /** Both kinds when absent. */
  isSingle?: boolean | undefined
  /** A search, true for a `page` that it finds. */
  holds?: RawBuilder<SqlBool> | undefined
}

/**
 * No index names a status that a payment changes (ADR 27). Pages are completed by payments, as most are that sell
 * something, so a walk through the list's own index soon fills a part of the list.
 */
const ofStatus: Record<ChargePageStatus, RawBuilder<SqlBool>> = {
  active: sql`page.status = 'active'`,
  completed: sql`page.status = 'completed'`,
  expired: sql`page.ended_as = 'expired'`,
  cancelled: sql`page.ended_as = 'cancelled'`,
}

/** Active ones may be rare, so each is looked up, in the order of the narrow table. */
const activePages = sql`
  (select page_id as id, seller_id, created_at from active_charge_pages) listed
  cross join lateral (select * from charge_pages where ${lookup("charge_pages.id", "listed.id")} offset 0) page`

/** Whole rows of a part of the list, newest first, without deleted ones. Who joins them repeats the `order by`. */
export function chargePagesFound({ limit, offset, ...filter }: FoundPages): RawBuilder<unknown> {
  const isNarrow = filter.status === "active" && filter.holds === undefined
  const listed = isNarrow ? "listed" : "page"
  return sql`
    select page.* from ${isNarrow ? activePages : sql`charge_pages page`} where ${conditions(filter, listed)}
    order by ${sql.ref(`${listed}.created_at`)} desc, ${sql.ref(`${listed}.id`)} desc limit ${limit} offset ${offset}`
}

/** `listed` names the table whose index has the list's order. */
function conditions(
  { sellerId, status, isSingle, holds, after, ...days }: Omit<FoundPages, "limit" | "offset">,
  listed: "page" | "listed",
): RawBuilder<SqlBool> {
  const conditions = [
    sql<SqlBool>`page.deleted_at is null and not page.is_unlisted`,
    ...momentWithin(`${listed}.created_at`, days),
  ]
  if (sellerId !== undefined) conditions.push(sql`${sql.ref(`${listed}.seller_id`)} = ${sellerId}`)
  if (status !== undefined) conditions.push(ofStatus[status])
  if (isSingle !== undefined) conditions.push(isSingle ? sql`page.is_single` : sql`not page.is_single`)
  if (holds !== undefined) conditions.push(holds)
  if (after !== undefined) conditions.push(comesAfter("charge_pages", listed, after))
  return sql.join(conditions, sql` and `)
}

/** The page that holds the reference. */
export async function findHolder(db: Db, sellerId: string, externalReference: string): Promise<string | null> {
  const row = await db
    .selectFrom("orders")
    .select("page_id")
    .where("seller_id", "=", sellerId)
    .where("external_reference", "=", externalReference)
    .where("is_released", "=", false)
    .executeTakeFirst()
  return row?.page_id ?? null
}

export async function findOrders(db: Db, pageIds: readonly string[]): Promise<Map<string, Order>> {
  if (pageIds.length === 0) return new Map()
  const { rows } = await sql<Order & { pageId: string }>`
    select page_id as "pageId", external_reference as "externalReference", metadata, return_url as "returnUrl"
    from orders where page_id = any(${pageIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ pageId, ...order }) => [pageId, order]))
}

/** The order of one page, read in the same statement; null without one. */
export function orderOf(page: string): RawBuilder<Order | null> {
  return sql<Order | null>`(
    select json_build_object(
      'externalReference', external_reference, 'metadata', metadata, 'returnUrl', return_url
    ) from orders where page_id = ${sql.ref(`${page}.id`)}
  )`
}

/** Ids of pages whose order's reference contains the words; of any seller's when there is none. */
export function pagesWithReference(words: string, sellerId?: string): RawBuilder<unknown> {
  const ofSeller = sellerId === undefined ? sql`true` : sql`seller_id = ${sellerId}`
  return sql`select page_id from orders where reference_text like ${foldedPattern(words)} and ${ofSeller}`
}

type Row = Omit<PageToCharge, "terms" | "choice"> & {
  maxCents: Cents | null
  settings: Parameters<typeof chargeTermsOf>[0] | null
  ownBasisPoints: number | null
}

/** The terms of what a seller charges from now on. */
export async function readTermsOf(db: Db, sellerId: string): Promise<ChargeTerms> {
  const { feePercentage } = await getUser(db, sellerId)
  return readChargeTerms(db, feePercentage)
}

/** Undeleted pages of active sellers. */
export async function findPagesToCharge(db: Db, ids: readonly string[]): Promise<PageToCharge[]> {
  const { rows } = await prepared<Row>("find-pages-to-charge")`
    select page.id, page.seller_id as "sellerId", page.title, page.description, page.amount_cents as "amountCents",
      page.max_amount_cents as "maxCents",
      page.status, page.allow_anonymous as "allowAnonymous", page.require_name as "requireName",
      page.require_email as "requireEmail", page.require_phone as "requirePhone", page.require_cpf as "requireCpf",
      page.expires_at as "expiresAt", seller.email_state <> 'unconfirmed' as "isConfirmed",
      page.suspended_at is not null as "isSuspended", page.is_invoice as "isInvoice", seller.fee_basis_points as "ownBasisPoints", (
        select json_object_agg(key, value) from settings where key = any(${textList(chargeTermKeys)})
      ) as settings
    from charge_pages page join users seller on ${lookup("seller.id", "page.seller_id")} and seller.active
    where page.id = any(${uuidList(ids)}) and page.deleted_at is null`.execute(db)
  return rows.map(({ settings, ownBasisPoints, maxCents, ...page }) => {
    const ownPercentage = ownBasisPoints === null ? null : percentageFromBasisPoints(ownBasisPoints)
    const choice = choiceOf(maxCents, [])
    return { ...page, choice, terms: chargeTermsOf(settings ?? {}, ownPercentage) }
  })
}
