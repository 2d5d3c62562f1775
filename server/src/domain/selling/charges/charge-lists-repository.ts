import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { holdsText } from "#db/holds-text"
import { comesAfter, type ListRange } from "#db/list-range"
import { type Days, dayWithin, momentWithin } from "#db/sao-paulo-days"
import type { Db } from "#db/transaction"
import type { Cents } from "#kit/money"
import type { Charge } from "./charge.ts"
import { holdsWords, idsWithWords } from "./charge-words-repository.ts"
import { toCharge } from "./charges-repository.ts"

export interface ChargeFilter extends Days {
  /** Without a seller the filter covers the whole platform, and a search also matches sellers. */
  sellerId?: string | undefined
  statuses?: readonly TransactionStatus[] | undefined
  search?: string | undefined
}

export interface ChargeOfSeller extends Charge {
  seller: { id: string; name: string; email: string }
}

export interface ChargeTotals {
  status: TransactionStatus
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
}

type RowOf<T> = T extends (row: infer Row) => unknown ? Row : never
type Row = RowOf<typeof toCharge>

/** Ids of rows that contain the words. A union, so that each part uses its own index. */
function searched({ sellerId, search = "" }: ChargeFilter): RawBuilder<SqlBool> {
  const ofWords = idsWithWords({ words: search, sellerId })
  if (sellerId !== undefined) return sql`charge.id in (${ofWords})`
  return sql`charge.id in (${ofWords} union all
    select sold.id from charges sold
    where sold.seller_id in (select seller.id from users seller where ${holdsText(["seller.name", "seller.email"], search)})
  )`
}

/** Charges still being created are listed to nobody. */
function conditions(filter: ChargeFilter, after?: string): RawBuilder<SqlBool> {
  const parts: RawBuilder<SqlBool>[] = [sql`charge.status <> 'creating'`, ...momentWithin("charge.created_at", filter)]
  if (filter.sellerId !== undefined) parts.push(sql`charge.seller_id = ${filter.sellerId}`)
  if (filter.search) parts.push(searched(filter))
  if (after !== undefined) parts.push(comesAfter("charges", "charge", after))
  return sql.join(parts, sql` and `)
}

/**
 * The charges that the filter finds, newest first. One part per status: each comes from an index in the list's order,
 * and the database only merges them. The caller repeats the `order by`.
 */
export function chargesFound(
  filter: ChargeFilter,
  { after, atMost }: { after?: string | undefined; atMost?: number } = {},
) {
  const { statuses } = filter
  const found = sql`select charge.* from charges charge where ${conditions(filter, after)}`
  const inOrder = sql`order by charge.created_at desc, charge.id desc ${atMost === undefined ? sql`` : sql`limit ${atMost}`}`
  if (statuses === undefined) return sql`${found} ${inOrder}`
  if (filter.search || statuses.length === 0)
    return sql`${found} and charge.status = any(${statuses}::text[]) ${inOrder}`
  const parts = statuses.map((status) => sql`(${found} and charge.status = ${status} ${inOrder})`)
  return sql.join(parts, sql` union all `)
}

/** This many newest rows are checked one by one; a rarer word is found quickly by its trigrams. */
const NEWEST = 2_000

export async function listChargeRows(db: Db, filter: ChargeFilter, range: ListRange): Promise<Charge[]> {
  if (filter.search) {
    const newest = await searchNewest(db, filter, range)
    if (newest.length === range.limit) return newest
  }
  const { limit, offset, after } = range
  const { rows } = await sql<Row>`
    select charge.* from (${chargesFound(filter, { after, atMost: offset + limit })}) charge
    order by charge.created_at desc, charge.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toCharge)
}

/** A common word fills the page from the newest rows, without finding and sorting all matches. */
async function searchNewest(
  db: Db,
  { search = "", ...filter }: ChargeFilter,
  { limit, offset, after }: ListRange,
): Promise<Charge[]> {
  const ofSeller = filter.sellerId === undefined ? holdsText(["seller.name", "seller.email"], search) : sql`false`
  const { rows } = await sql<Row>`
    select charge.*
    from (
      select newest.* from (${chargesFound(filter, { after, atMost: NEWEST })}) newest
      order by newest.created_at desc, newest.id desc limit ${NEWEST}
    ) charge
    join users seller on seller.id = charge.seller_id
    where ${holdsWords({ words: search, sellerId: filter.sellerId })} or ${ofSeller}
    order by charge.created_at desc, charge.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toCharge)
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
  net_cents: Cents
}

const toTotals = (row: TotalsRow): ChargeTotals => ({
  status: row.status,
  count: row.count,
  grossCents: row.gross_cents,
  feeCents: row.fee_cents,
  netCents: row.net_cents,
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
        sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
      from charge_day_totals
      where seller_id = ${sellerId} and ${ofStatuses} and ${dayWithin("day", { dayFrom, dayTo })}
      group by status`
    : sql<TotalsRow>`select status, count, gross_cents, fee_cents, net_cents
      from charge_totals where seller_id = ${sellerId} and ${ofStatuses}`
  const { rows } = await query.execute(db)
  return rows.map(toTotals)
}

/** Scans rows, for searches, which no total covers. */
export async function countFoundCharges(db: Db, filter: ChargeFilter): Promise<ChargeTotals[]> {
  const { rows } = await sql<TotalsRow>`
    select status, count(*) as count, sum(amount_cents)::bigint as gross_cents,
      sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
    from (${chargesFound(filter)}) charge group by status`.execute(db)
  return rows.map(toTotals)
}

/** Totals of payments on one São Paulo day. */
export async function readPaidDayTotals(
  db: Db,
  sellerId: string,
  moment: Date,
): Promise<{ count: number; netCents: Cents }> {
  const { rows } = await sql<{ count: number; net_cents: Cents }>`
    select count, net_cents from paid_day_totals
    where seller_id = ${sellerId} and day = sao_paulo_day(${moment})`.execute(db)
  return { count: rows[0]?.count ?? 0, netCents: rows[0]?.net_cents ?? (0 as Cents) }
}
