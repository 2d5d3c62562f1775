import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { TransactionStatus } from "@tilinta/contract/vocabulary/transactions"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { comesAfter, type Days, dayWithin, holdsText, type ListRange, momentWithin } from "#db/list-range"
import { lookup } from "#db/prepared"
import type { Db } from "#db/transaction"
import { holdsWords, idsWithWords, toCharge } from "./reads.ts"
import type { Charge } from "./rules.ts"

export interface ChargeFilter extends Days {
  /** Without a seller the filter covers the whole platform, and a search also matches sellers. */
  sellerId?: string | undefined
  statuses?: readonly TransactionStatus[] | undefined
  search?: string | undefined
  /** Those of the shop's counter alone; only with a seller. */
  isCounter?: boolean | undefined
  /** Those of one page alone. Few are looked up by the page, and many found by walking the seller's. */
  page?: { id: string; hasFew: boolean } | undefined
}

export interface ChargeOfSeller extends Charge {
  seller: { id: string; name: string; email: string }
}

export interface ChargeTotals {
  status: TransactionStatus
  count: number
  grossCents: Cents
  feeCents: Cents
  refundedCents: Cents
  refundedFeeCents: Cents
}

type RowOf<T> = T extends (row: infer Row) => unknown ? Row : never
type Row = RowOf<typeof toCharge>

/** Ids of rows that contain the words. A union, so that each part uses its own index. */
function idsFound({ sellerId, search = "" }: ChargeFilter): RawBuilder<unknown> {
  const ofWords = idsWithWords({ words: search, sellerId })
  if (sellerId !== undefined) return ofWords
  return sql`${ofWords} union all
    select sold.id from charges sold
    where sold.seller_id in (select seller.id from users seller where ${holdsText(["seller.name", "seller.email"], search)})`
}

/** Charges still being created are listed to nobody. `listed` names the table whose index has the list's order. */
function conditions(filter: ChargeFilter, after?: string, listed: "charge" | "open" = "charge"): RawBuilder<SqlBool> {
  const wanted: RawBuilder<SqlBool>[] = [
    sql`charge.status <> 'creating'`,
    ...momentWithin(`${listed}.created_at`, filter),
  ]
  if (filter.sellerId !== undefined) wanted.push(sql`${sql.ref(`${listed}.seller_id`)} = ${filter.sellerId}`)
  if (filter.search) wanted.push(sql`charge.id in (${idsFound(filter)})`)
  if (filter.isCounter)
    wanted.push(sql`charge.id in (select charge_id from counter_sales where seller_id = ${filter.sellerId})`)
  if (filter.page !== undefined) wanted.push(sql`charge.page_id = ${filter.page.id}`)
  if (after !== undefined) wanted.push(comesAfter("charges", listed, after))
  return sql.join(wanted, sql` and `)
}

/**
 * No index names a status, because each payment would write it. Most charges are paid, so a walk through the list's
 * own index soon fills a page of them.
 */
const ofStatus: Record<TransactionStatus, RawBuilder<SqlBool>> = {
  pending: sql`charge.status = 'pending'`,
  paid: sql`charge.status = 'paid'`,
  expired: sql`charge.closed_as = 'expired'`,
  cancelled: sql`charge.closed_as = 'cancelled'`,
  failed: sql`charge.closed_as = 'failed'`,
  refunded: sql`charge.status = 'refunded' and charge.refunded_cents > 0`,
}

const openCharges = sql`(select charge_id as id, seller_id, created_at from open_charges) open`
/** Each charge is looked up, in the order of the narrow table: a join of very many would read all charges. */
const newestOpen = sql`
  ${openCharges} cross join lateral (
    select * from charges where ${lookup("charges.id", "open.id")} offset 0
  ) charge`
/** Both names of the moment are joined, so that the order of the narrow table is known as that of the list. */
const allOpen = sql`
  ${openCharges} join charges charge on charge.id = open.id and charge.created_at = open.created_at`

/**
 * The charges that the filter finds, newest first. One part per status: each comes from an index in the list's order,
 * and the database only merges them. The caller repeats the `order by`.
 */
export function chargesFound(
  filter: ChargeFilter,
  { after, atMost }: { after?: string | undefined; atMost?: number } = {},
) {
  const { statuses, page } = filter
  const listed = page?.hasFew ? chargesOf(page.id) : sql`charges charge`
  const found = sql`select charge.* from ${listed} where ${conditions(filter, after)}`
  const most = atMost === undefined ? sql`` : sql`limit ${atMost}`
  const inOrder = sql`order by charge.created_at desc, charge.id desc ${most}`
  if (statuses === undefined) return sql`${found} ${inOrder}`
  if (filter.search || page !== undefined || statuses.length === 0)
    return sql`${found} and charge.status = any(${statuses}::text[]) ${inOrder}`
  const openOnes = atMost === undefined ? allOpen : newestOpen
  const foundOpen = sql`select charge.* from ${openOnes} where ${conditions(filter, after, "open")}`
  const byStatus = statuses.map((status) =>
    status === "pending"
      ? sql`(${foundOpen} and ${ofStatus.pending} order by open.created_at desc, open.id desc ${most})`
      : sql`(${found} and ${ofStatus[status]} ${inOrder})`,
  )
  return sql.join(byStatus, sql` union all `)
}

/** Read whole and then sorted, so that no walk through the seller's other charges looks cheaper. */
const chargesOf = (pageId: string) => sql`(select * from charges where page_id = ${pageId} offset 0) charge`

const mostFewOfPage = 1_000

export async function hasFewCharges(db: Db, pageId: string): Promise<boolean> {
  const some = sql`select from charges where page_id = ${pageId} limit ${mostFewOfPage + 1}`
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${some}) own`.execute(db)
  return (rows[0]?.count ?? 0) <= mostFewOfPage
}

/** So many of the newest rows are checked one by one; a rarer word is found quickly by its trigrams. */
const fewNewest = 2_000
/** Checked where the first ones promise enough matches. */
const manyNewest = 20_000
/** Matches are counted up to here. */
const usualMostCounted = 10_000

export async function listChargeRows(db: Db, filter: ChargeFilter, range: ListRange): Promise<Charge[]> {
  const { limit, offset, after } = range
  if (filter.search) {
    const found = await searchNewest(db, filter, range)
    if (found !== null) return found
  } else if (filter.page === undefined && filter.statuses?.includes("pending")) {
    const newest = await listFromNewest(db, filter, range)
    if (newest.length === limit) return newest
  }
  const { rows } = await sql<Row>`
    select charge.* from (${chargesFound(filter, { after, atMost: offset + limit })}) charge
    order by charge.created_at desc, charge.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toCharge)
}

/** The newest rows fill a page where a status is common, and each costs less than a look into two tables. */
async function listFromNewest(
  db: Db,
  { statuses = [], ...filter }: ChargeFilter,
  { limit, offset, after }: ListRange,
): Promise<Charge[]> {
  const { rows } = await sql<Row>`
    select newest.* from (${chargesFound(filter, { after, atMost: 4 * (offset + limit) })}) newest
    where newest.status = any(${statuses}::text[])
    order by newest.created_at desc, newest.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toCharge)
}

/**
 * A common word fills the page from the newest rows, without finding and sorting all matches. Null when older ones must
 * be looked for, too.
 */
async function searchNewest(db: Db, filter: ChargeFilter, range: ListRange): Promise<Charge[] | null> {
  const { limit, offset, after } = range
  for (const atMost of [fewNewest, manyNewest]) {
    const { rows } = await sql<Row>`
      select charge.* from ${newestOf(filter, { after, atMost })} where ${isMatch(filter)}
      order by charge.created_at desc, charge.id desc limit ${limit} offset ${offset}`.execute(db)
    const isPageFull = rows.length === limit
    if (isPageFull || (await isAllOf(db, filter, { after, atMost }))) return rows.map(toCharge)
    const isPromising = rows.length * (manyNewest / fewNewest) >= limit
    if (!isPromising) return null
  }
  return null
}

interface Newest {
  after?: string | undefined
  atMost: number
}

/** The newest rows that the filter finds without its words, as `charge`. */
function newestOf(filter: ChargeFilter, { after, atMost }: Newest) {
  return sql`(
    select newest.* from (${chargesFound({ ...filter, search: undefined }, { after, atMost })}) newest
    order by newest.created_at desc, newest.id desc limit ${atMost}
  ) charge`
}

/** True for a `charge` that holds the words; its seller is looked up only where it doesn't. */
function isMatch({ search = "", sellerId }: ChargeFilter): RawBuilder<SqlBool> {
  if (search === "") return sql<SqlBool>`true`
  const ofCharge = holdsWords({ words: search, sellerId })
  if (sellerId !== undefined) return ofCharge
  const ofSeller = holdsText(["seller.name", "seller.email"], search)
  return sql<SqlBool>`case when ${ofCharge} then true
    else (select ${ofSeller} from users seller where seller.id = charge.seller_id) end`
}

/** True when the filter without its words finds no more than these. */
async function isAllOf(db: Db, filter: ChargeFilter, newest: Newest): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${newestOf(filter, newest)}`.execute(db)
  return (rows[0]?.count ?? 0) < newest.atMost
}

export async function findChargeOfSeller(db: Db, id: string): Promise<ChargeOfSeller | null> {
  const { rows } = await sql<Row & { seller_name: string; seller_email: string }>`
    select charge.*, seller.name as seller_name, seller.email as seller_email
    from charges charge join users seller on seller.id = charge.seller_id
    where charge.id = ${id} and charge.status <> 'creating'`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return { ...toCharge(row), seller: { id: row.seller_id, name: row.seller_name, email: row.seller_email } }
}

interface TotalsRow {
  status: TransactionStatus
  count: number
  gross_cents: Cents
  fee_cents: Cents
  refunded_cents: Cents
  refunded_fee_cents: Cents
}

const toTotals = (row: TotalsRow): ChargeTotals => ({
  status: row.status,
  count: row.count,
  grossCents: row.gross_cents,
  feeCents: row.fee_cents,
  refundedCents: row.refunded_cents,
  refundedFeeCents: row.refunded_fee_cents,
})

/** Exact totals of one seller per status, from kept totals. */
export async function readSellerChargeTotals(
  db: Db,
  sellerId: string,
  { statuses, dayFrom, dayTo }: ChargeFilter,
): Promise<ChargeTotals[]> {
  const ofStatuses = statuses ? sql`status = any(${statuses}::text[])` : sql`true`
  const hasDays = dayFrom !== undefined || dayTo !== undefined
  const query = hasDays
    ? sql<TotalsRow>`select status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
        sum(fee_cents)::bigint as fee_cents, sum(refunded_cents)::bigint as refunded_cents,
        sum(refunded_fee_cents)::bigint as refunded_fee_cents
      from charge_day_totals
      where seller_id = ${sellerId} and ${ofStatuses} and ${dayWithin("day", { dayFrom, dayTo })}
      group by status`
    : sql<TotalsRow>`select status, count, gross_cents, fee_cents, refunded_cents, refunded_fee_cents
      from charge_totals where seller_id = ${sellerId} and ${ofStatuses}`
  const { rows } = await query.execute(db)
  return rows.map(toTotals)
}

export interface FoundTotals {
  totals: ChargeTotals[]
  /** False when there are more matches than these, which are the newest. */
  isExact: boolean
}

/**
 * Scans rows, for searches and single pages, which no total covers. A word that very many rows hold is counted among the newest only: all
 * of them would take longer than anybody waits.
 */
export async function countFoundCharges(
  db: Db,
  filter: ChargeFilter,
  mostCounted = usualMostCounted,
): Promise<FoundTotals> {
  if (!filter.search) {
    return filter.page?.hasFew ? countAll(db, filter) : countNewest(db, filter, mostCounted)
  }
  const newest = await countNewest(db, filter, fewNewest)
  if (newest.isExact) return newest
  const found = newest.totals.reduce((sum, { count }) => sum + count, 0)
  const isCommon = found * 20 >= fewNewest
  if (isCommon || !(await areFew(db, filter, mostCounted))) return countNewest(db, filter, mostCounted)
  return countAll(db, filter)
}

async function countAll(db: Db, filter: ChargeFilter): Promise<FoundTotals> {
  const { rows } = await sql<TotalsRow>`
    select charge.status, ${sumsWhere(sql`true`)} from (${chargesFound(filter)}) charge group by charge.status`.execute(
    db,
  )
  return { totals: rows.map(toTotals), isExact: true }
}

/** One reading counts the matches and the rows among which they are. The offset keeps each sum from matching anew. */
async function countNewest(db: Db, filter: ChargeFilter, atMost: number): Promise<FoundTotals> {
  const { rows } = await sql<TotalsRow & { looked_at: number }>`
    select charge.status, ${sumsWhere(sql`charge.is_match`)}, count(*) as looked_at
    from (
      select charge.status, charge.amount_cents, charge.fee_cents, charge.refunded_cents, charge.refunded_fee_cents,
        ${isMatch(filter)} as is_match
      from ${newestOf(filter, { atMost })} offset 0
    ) charge group by charge.status`.execute(db)
  const lookedAt = rows.reduce((sum, row) => sum + row.looked_at, 0)
  return { totals: rows.filter(({ count }) => count > 0).map(toTotals), isExact: lookedAt < atMost }
}

/** Without the other conditions of the filter: matches that these refuse would have to be read all the same. */
async function areFew(db: Db, filter: ChargeFilter, most: number): Promise<boolean> {
  const some = sql`select from (${idsFound(filter)}) found limit ${most + 1}`
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${some}) found`.execute(db)
  return (rows[0]?.count ?? 0) <= most
}

function sumsWhere(condition: RawBuilder<SqlBool>): RawBuilder<unknown> {
  const sum = (column: string) => {
    const name = sql.ref(column)
    return sql`coalesce(sum(charge.${name}) filter (where ${condition}), 0)::bigint as ${name}`
  }
  return sql`count(*) filter (where ${condition}) as count,
    coalesce(sum(charge.amount_cents) filter (where ${condition}), 0)::bigint as gross_cents,
    ${sum("fee_cents")}, ${sum("refunded_cents")}, ${sum("refunded_fee_cents")}`
}

/** Number and net amount of payments on one São Paulo day, less what was given back of them. */
export async function readPaidDayTotals(
  db: Db,
  sellerId: string,
  moment: Date,
): Promise<{ count: number; netCents: Cents }> {
  const { rows } = await sql<{ count: number; net_cents: Cents }>`
    select count, net_cents - (refunded_cents - refunded_fee_cents) as net_cents from paid_day_totals
    where seller_id = ${sellerId} and day = sao_paulo_day(${moment})`.execute(db)
  return { count: rows[0]?.count ?? 0, netCents: rows[0]?.net_cents ?? (0 as Cents) }
}

/** Charges whose receipt nobody verified are not in it. */
export async function readReceiptVerifications(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; count: number }>`
    select charge_id as id, count from receipt_verifications where charge_id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
