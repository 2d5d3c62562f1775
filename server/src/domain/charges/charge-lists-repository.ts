import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { type RawBuilder, sql } from "kysely"
import { holdsText } from "#db/holds-text"
import { endOfDay, startOfDay } from "#db/sao-paulo-days"
import type { Db } from "#db/transaction"
import type { Cents } from "#kit/money"
import type { Charge } from "./charge.ts"
import { toCharge } from "./charges-repository.ts"

export interface ChargeFilter {
  sellerId: string
  statuses?: readonly TransactionStatus[] | undefined
  search?: string | undefined
  /** Days of São Paulo, inclusive, `YYYY-MM-DD`. */
  dayFrom?: string | undefined
  dayTo?: string | undefined
}

export interface ChargeTotals {
  status: TransactionStatus
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
}

type RowOf<T> = T extends (row: infer Row) => unknown ? Row : never
type ChargeRow = RowOf<typeof toCharge>

const searchedColumns = ["description", "page_title", "payer_name", "txid", "end_to_end_id"].map(
  (column) => `charge.${column}`,
)

function conditions(filter: ChargeFilter): RawBuilder<unknown> {
  const parts = [sql`charge.seller_id = ${filter.sellerId}`, sql`charge.status <> 'creating'`]
  if (filter.statuses) parts.push(sql`charge.status = any(${filter.statuses}::text[])`)
  if (filter.dayFrom) parts.push(sql`charge.created_at >= ${startOfDay(filter.dayFrom)}`)
  if (filter.dayTo) parts.push(sql`charge.created_at < ${endOfDay(filter.dayTo)}`)
  if (filter.search) parts.push(holdsText(searchedColumns, filter.search))
  return sql.join(parts, sql` and `)
}

export async function listChargeRows(
  db: Db,
  filter: ChargeFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<Charge[]> {
  const { rows } = await sql<ChargeRow>`
    select charge.* from charges charge where ${conditions(filter)}
    order by charge.created_at desc, charge.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toCharge)
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

/** Per status, exact. Only a search has to look at the rows themselves. */
export async function readChargeTotals(db: Db, filter: ChargeFilter): Promise<ChargeTotals[]> {
  const query = filter.search
    ? searchedTotals(filter)
    : filter.dayFrom || filter.dayTo
      ? dayTotals(filter)
      : allTotals(filter)
  const { rows } = await query.execute(db)
  return rows.map(toTotals)
}

function ofStatuses(filter: ChargeFilter): RawBuilder<unknown> {
  return filter.statuses ? sql`status = any(${filter.statuses}::text[])` : sql`true`
}

const sums = sql`sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents`

function allTotals(filter: ChargeFilter): RawBuilder<TotalsRow> {
  return sql<TotalsRow>`select status, count, gross_cents, fee_cents, net_cents from charge_totals
    where seller_id = ${filter.sellerId} and ${ofStatuses(filter)}`
}

function dayTotals(filter: ChargeFilter): RawBuilder<TotalsRow> {
  return sql<TotalsRow>`select status, ${sums} from charge_day_totals
    where seller_id = ${filter.sellerId} and ${ofStatuses(filter)}
      and day between ${filter.dayFrom ?? "-infinity"}::date and ${filter.dayTo ?? "infinity"}::date
    group by status`
}

function searchedTotals(filter: ChargeFilter): RawBuilder<TotalsRow> {
  return sql<TotalsRow>`select status, count(*) as count, sum(amount_cents)::bigint as gross_cents,
      sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
    from charges charge where ${conditions(filter)} group by status`
}

/** What was paid on one day of São Paulo. */
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
