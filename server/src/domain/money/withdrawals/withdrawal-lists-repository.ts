import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely"
import { holdsText } from "#db/holds-text"
import { comesAfter, type ListRange } from "#db/list-range"
import { type Days, momentWithin } from "#db/sao-paulo-days"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { readWithdrawalTotalsOfPlatform } from "#domain/platform/totals/read-platform-totals"
import type { Withdrawal } from "./withdrawal.ts"
import type { WithdrawalFacts } from "./withdrawal-facts.ts"
import { type FactsRow, factsJoin, toFacts } from "./withdrawal-facts-repository.ts"
import { toWithdrawal } from "./withdrawals-repository.ts"

export interface WithdrawalFilter extends Days {
  /** The whole platform when absent. */
  sellerId?: string | undefined
  statuses?: readonly WithdrawalStatus[] | undefined
  search?: string | undefined
}

export interface WithdrawalWithFacts extends Withdrawal {
  /** Null unless the request is pending. */
  facts: WithdrawalFacts | null
}

export interface WithdrawalTotals {
  status: WithdrawalStatus
  count: number
  amountCents: Cents
}

interface TotalsRow {
  status: WithdrawalStatus
  count: number
  amount_cents: Cents
}

type Row = Selectable<Schema["withdrawals"]>

const ownColumns = ["withdrawal.pix_key", "withdrawal.end_to_end_id"]

/** Only admins may search by the seller. */
function searchedColumns({ sellerId }: WithdrawalFilter): string[] {
  return sellerId === undefined ? [...ownColumns, "seller.name", "seller.email"] : ownColumns
}

export function withdrawalConditions(
  filter: WithdrawalFilter,
  { after, order }: Pick<ListRange, "after" | "order"> = {},
): RawBuilder<SqlBool> {
  const parts: RawBuilder<SqlBool>[] = [sql`true`, ...momentWithin("withdrawal.created_at", filter)]
  if (filter.sellerId !== undefined) parts.push(sql`withdrawal.seller_id = ${filter.sellerId}`)
  if (filter.statuses) parts.push(hasStatus(filter.statuses))
  if (filter.search) parts.push(holdsText(searchedColumns(filter), filter.search))
  if (after !== undefined) parts.push(comesAfter("withdrawals", "withdrawal", after, order))
  return sql.join(parts, sql` and `)
}

/** A single status is read from its index in the list's order; several would have to be sorted. */
function hasStatus(statuses: readonly WithdrawalStatus[]): RawBuilder<SqlBool> {
  return statuses.length === 1
    ? sql`withdrawal.status = ${statuses[0]}`
    : sql`withdrawal.status = any(${statuses}::text[])`
}

/** Only an admin's search joins the sellers. */
function from({ search, sellerId }: WithdrawalFilter): RawBuilder<unknown> {
  return search && sellerId === undefined
    ? sql`withdrawals withdrawal join users seller on seller.id = withdrawal.seller_id`
    : sql`withdrawals withdrawal`
}

function partOf(filter: WithdrawalFilter, { offset, limit, after, order }: ListRange): RawBuilder<unknown> {
  const direction = order === "oldest" ? sql`asc` : sql`desc`
  return sql`select withdrawal.* from ${from(filter)}
    where ${withdrawalConditions(filter, { after, order })}
    order by withdrawal.created_at ${direction}, withdrawal.id ${direction} limit ${limit} offset ${offset}`
}

export async function listWithdrawalRows(db: Db, filter: WithdrawalFilter, range: ListRange): Promise<Withdrawal[]> {
  const { rows } = await sql<Row>`${partOf(filter, range)}`.execute(db)
  return rows.map(toWithdrawal)
}

/** For admins: each pending request comes with the facts for its decision. */
export async function listWithdrawalsWithFacts(
  db: Db,
  filter: WithdrawalFilter,
  range: ListRange,
): Promise<WithdrawalWithFacts[]> {
  const direction = range.order === "oldest" ? sql`asc` : sql`desc`
  const { rows } = await sql<Row & FactsRow>`
    select withdrawal.*, facts.* from (${partOf(filter, range)}) withdrawal ${factsJoin}
    order by withdrawal.created_at ${direction}, withdrawal.id ${direction}`.execute(db)
  return rows.map(withFacts)
}

export async function findWithdrawalsWithFacts(db: Db, ids: readonly string[]): Promise<WithdrawalWithFacts[]> {
  const { rows } = await sql<Row & FactsRow>`
    select withdrawal.*, facts.* from withdrawals withdrawal ${factsJoin}
    where withdrawal.id = any(${ids}::uuid[])`.execute(db)
  return rows.map(withFacts)
}

function withFacts(row: Row & FactsRow): WithdrawalWithFacts {
  const withdrawal = toWithdrawal(row)
  return { ...withdrawal, facts: toFacts(row, withdrawal) }
}

/** Exact totals per status. Only searches and one seller's days, which no total covers, scan rows. */
export async function readWithdrawalTotals(db: Db, filter: WithdrawalFilter): Promise<WithdrawalTotals[]> {
  const { sellerId, search } = filter
  if (!search && sellerId === undefined) return platformTotals(db, filter)
  const hasDays = filter.dayFrom !== undefined || filter.dayTo !== undefined
  const isCounted = search || sellerId === undefined || hasDays
  const { rows } = await (isCounted ? countedTotals(filter) : sellerTotals(sellerId, filter)).execute(db)
  return rows.map((row) => ({ status: row.status, count: row.count, amountCents: row.amount_cents }))
}

/** Returned parts of withdrawals that stay completed, which their totals count whole. */
export async function sumPartlyReturned(db: Db, sellerId: string): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum(returned_cents), 0)::bigint as cents from withdrawals
    where seller_id = ${sellerId} and status = 'completed' and returned_cents > 0`.execute(db)
  return rows[0]?.cents ?? noMoney
}

function ofStatuses({ statuses }: WithdrawalFilter): RawBuilder<unknown> {
  return statuses ? sql`status = any(${statuses}::text[])` : sql`true`
}

function sellerTotals(sellerId: string, filter: WithdrawalFilter): RawBuilder<TotalsRow> {
  return sql<TotalsRow>`select status, count, amount_cents from withdrawal_totals
    where seller_id = ${sellerId} and ${ofStatuses(filter)}`
}

async function platformTotals(db: Db, { statuses, dayFrom, dayTo }: WithdrawalFilter): Promise<WithdrawalTotals[]> {
  const totals = await readWithdrawalTotalsOfPlatform(db, { statuses, dayFrom, dayTo })
  return totals.map(({ status, count, grossCents }) => ({ status, count, amountCents: grossCents }))
}

function countedTotals(filter: WithdrawalFilter): RawBuilder<TotalsRow> {
  return sql<TotalsRow>`select withdrawal.status, count(*) as count, sum(withdrawal.amount_cents)::bigint as amount_cents
    from ${from(filter)} where ${withdrawalConditions(filter)} group by withdrawal.status`
}
