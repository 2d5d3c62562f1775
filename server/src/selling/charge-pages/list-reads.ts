import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { foldedPattern, holdsText, type ListRange, requireRowBefore, type SearchFor } from "#db/list-range"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { countChargePagesOfPlatform } from "#platform/totals/totals"
import {
  type ChargePageFilter,
  chargePagesFound,
  countFoundChargePages,
  findHolder,
  listChargePageRows,
  orderOf,
  pageHolds,
  pagesWithReference,
  readChargePageCounts,
  toChargePage,
} from "./reads.ts"
import { type ChargePage, statusAt } from "./rules.ts"

interface ChargePageList {
  pages: ChargePage[]
  /** The number of pages that the filter finds, whatever the page of the list. */
  results: number
  counts: Map<ChargePageStatus, number>
}

type ChargePagesQuery = Omit<ChargePageFilter, "id"> & {
  /** The page of the order that holds this reference. */
  externalReference?: string | undefined
}

export async function listChargePages(
  { db, clock }: { db: Db; clock: Clock },
  { externalReference, ...query }: ChargePagesQuery,
): Promise<ChargePageList> {
  const id = externalReference === undefined ? undefined : await findHolder(db, query.sellerId, externalReference)
  if (id === null) return { pages: [], results: 0, counts: await readChargePageCounts(db, query.sellerId) }
  const filter = { ...query, id }
  const [rows, counts] = await Promise.all([listChargePageRows(db, filter), readChargePageCounts(db, filter.sellerId)])
  await requireRowBefore(db, "charge_pages", filter, rows)
  const now = clock.now()
  const { search, isSingle, dayFrom, dayTo } = filter
  const isKept = [search || undefined, id, isSingle, dayFrom, dayTo].every((condition) => condition === undefined)
  const results = isKept ? countedPages(counts, filter.status) : await countFoundChargePages(db, filter)
  return { pages: rows.map((page) => ({ ...page, status: statusAt(page, now) })), results, counts }
}

function countedPages(counts: Map<ChargePageStatus, number>, status: ChargePageStatus | undefined): number {
  if (status !== undefined) return counts.get(status) ?? 0
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

interface AllChargePages {
  pages: ChargePageOfSeller[]
  /** Counts of everything that the filter finds, whatever the page of the list. */
  counts: Map<ChargePageStatus, number>
}

/** Charge pages of all sellers, for admins. */
export async function listAllChargePages(
  { db, clock }: { db: Db; clock: Clock },
  filter: AllChargePagesFilter,
  range: ListRange,
): Promise<AllChargePages> {
  const [rows, counts] = await Promise.all([listAllChargePageRows(db, filter, range), countFound(db, filter)])
  await requireRowBefore(db, "charge_pages", range, rows)
  const now = clock.now()
  return { pages: rows.map((page) => ({ ...page, status: statusAt(page, now) })), counts }
}

/** Any seller's page, with its seller. */
export async function getAnyChargePage(
  { db, clock }: { db: Db; clock: Clock },
  id: string,
): Promise<ChargePageOfSeller> {
  const page = isId(id) ? await findAnyChargePageRow(db, id) : null
  if (page === null) throw new DomainError("charge_page_not_found")
  return { ...page, status: statusAt(page, clock.now()) }
}

async function countFound(db: Db, filter: AllChargePagesFilter): Promise<Map<ChargePageStatus, number>> {
  if (filter.search) return countAllFoundChargePages(db, filter)
  const counts = await countChargePagesOfPlatform(db)
  return new Map([...counts].filter(([status]) => filter.status === undefined || filter.status === status))
}

export async function searchChargePages(
  { db, clock }: { db: Db; clock: Clock },
  search: SearchFor,
): Promise<FoundChargePage[]> {
  const pages = await findChargePagesWithText(db, search)
  const now = clock.now()
  return pages.map((page) => ({ ...page, status: statusAt(page, now) }))
}

interface FoundChargePage {
  id: string
  title: string
  amountCents: Cents
  status: ChargePageStatus
  expiresAt: Date | null
  sellerName: string
}

interface Row {
  id: string
  title: string
  amount_cents: Cents
  status: ChargePageStatus
  expires_at: Date | null
  seller_name: string
}

/** Finds a page by its id, or the newest ones with the words in their title or their order's reference. */
async function findChargePagesWithText(db: Db, { words, sellerId, atMost }: SearchFor): Promise<FoundChargePage[]> {
  const owned = sellerId === undefined ? sql`true` : sql`page.seller_id = ${sellerId}`
  // Each part takes its newest by an index of its own: a common word must not make all its matches be read and sorted.
  const found = isId(words)
    ? sql`select ${words}::uuid`
    : sql`(
        select page.id from charge_pages page
        where page.deleted_at is null and not page.is_unlisted and ${owned} and page.search_text like ${foldedPattern(words)}
        order by page.created_at desc, page.id desc limit ${atMost}
      ) union all (
        ${pagesWithReference(words, sellerId)} and not is_released order by page_id desc limit ${atMost * 2}
      )`
  const { rows } = await sql<Row>`
    select page.id, page.title, page.amount_cents, page.status, page.expires_at, seller.name as seller_name
    from charge_pages page join users seller on seller.id = page.seller_id
    where page.deleted_at is null and not page.is_unlisted and ${owned} and page.id in (${found})
    order by page.created_at desc, page.id desc limit ${atMost}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    amountCents: row.amount_cents,
    status: row.status,
    expiresAt: row.expires_at,
    sellerName: row.seller_name,
  }))
}

interface AllChargePagesFilter {
  status?: ChargePageStatus | undefined
  search?: string | undefined
}

interface ChargePageOfSeller extends ChargePage {
  seller: { id: string; name: string; email: string }
}

type PageRow = Parameters<typeof toChargePage>[0] & { seller_name: string; seller_email: string }

/** A union, so that each part uses its own index. */
function found(search: string): RawBuilder<SqlBool> {
  return sql`page.id in (
    select id from charge_pages where ${pageHolds(search)}
    union all
    ${pagesWithReference(search)}
    union all
    select offered.id from charge_pages offered
    where offered.seller_id in (select seller.id from users seller where ${holdsText(["seller.name", "seller.email"], search)})
  )`
}

function conditions({ status, search }: AllChargePagesFilter): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql`page.deleted_at is null and not page.is_unlisted`]
  if (status !== undefined) conditions.push(sql`page.status = ${status}`)
  if (search) conditions.push(found(search))
  return sql.join(conditions, sql` and `)
}

/** Pages of all sellers, newest first. */
export async function listAllChargePageRows(
  db: Db,
  { status, search }: AllChargePagesFilter,
  range: ListRange,
): Promise<ChargePageOfSeller[]> {
  return readRows(db, chargePagesFound({ ...range, status, holds: search ? found(search) : undefined }))
}

/** Deleted pages are hidden from admins too. */
async function findAnyChargePageRow(db: Db, id: string): Promise<ChargePageOfSeller | null> {
  const [page] = await readRows(db, sql`select * from charge_pages where id = ${id} and deleted_at is null`)
  return page ?? null
}

async function readRows(db: Db, pages: RawBuilder<unknown>): Promise<ChargePageOfSeller[]> {
  const { rows } = await sql<PageRow>`
    with waiting as materialized (select page_id, count from page_payments), found as materialized (
      select page.*, seller.name as seller_name, seller.email as seller_email
      from (${pages}) page join users seller on seller.id = page.seller_id
    )
    select found.*, coalesce((select count from waiting where page_id = found.id), 0) as uncounted,
      ${orderOf("found")} as "order"
    from found order by created_at desc, id desc`.execute(db)
  return rows.map((row) => ({
    ...toChargePage(row),
    seller: { id: row.seller_id, name: row.seller_name, email: row.seller_email },
  }))
}

/** Scans rows, for searches, which no total covers. */
async function countAllFoundChargePages(db: Db, filter: AllChargePagesFilter): Promise<Map<ChargePageStatus, number>> {
  const { rows } = await sql<{ status: ChargePageStatus; count: number }>`
    select page.status, count(*) as count from charge_pages page join users seller on seller.id = page.seller_id
    where ${conditions(filter)} group by page.status`.execute(db)
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/** Counts of one seller's pages, from totals kept by triggers. */
export async function countChargePages(db: Db, sellerId: string): Promise<{ all: number; active: number }> {
  const counts = await readChargePageCounts(db, sellerId)
  return { all: [...counts.values()].reduce((sum, count) => sum + count, 0), active: counts.get("active") ?? 0 }
}
