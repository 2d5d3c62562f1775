import type { Cents } from "@tilinta/contract/vocabulary/money"
import { erasedDataLabel } from "@tilinta/contract/vocabulary/payer-data"
import {
  type ChargeStatus,
  failedStatuses,
  paidStatuses,
  sellerStatusLabels,
  sellerStatusOf,
} from "@tilinta/contract/vocabulary/transactions"
import { type RawBuilder, sql } from "kysely"
import {
  type Column,
  documentColumn,
  labelColumn,
  momentColumn,
  moneyColumn,
  phoneColumn,
  type Table,
  textColumn,
  valueColumn,
} from "#db/exports"
import type { SearchFor } from "#db/list-range"
import { wordList } from "#db/prepared"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { type ChargeFilter, chargesFound } from "./list-reads.ts"
import { holdsWords, idsWithWords } from "./reads.ts"
import { GRACE_MS } from "./rules.ts"

export interface FoundCharge {
  id: string
  description: string
  pageTitle: string
  payerName: string | null
  amountCents: Cents
  status: ChargeStatus
  expiresAt: Date
  createdAt: Date
  sellerName: string
}

/** This many newest rows are checked one by one. */
const FEW = 500

interface Row {
  id: string
  description: string
  page_title: string
  payer_name: string | null
  amount_cents: Cents
  status: ChargeStatus
  expires_at: Date
  created_at: Date
  seller_name: string
}

/** A pasted identifier: the charge's own id, its txid or its payment's endToEndId. */
export async function findNamedCharges(db: Db, search: SearchFor): Promise<FoundCharge[]> {
  const { words } = search
  const byId = isId(words) ? sql`select ${words}::uuid union all` : sql``
  return readFound(
    db,
    search,
    sql`${byId} select id from charges where txid = ${words}
      union all select charge_id from payments where end_to_end_id = ${words}
      union all select accepted_charge_id from unmatched_payments where end_to_end_id = ${words}`,
  )
}

/** The newest charges that contain the words; common words are found without finding all matches. */
export async function findChargesWithText(db: Db, search: SearchFor): Promise<FoundCharge[]> {
  const { sellerId, atMost } = search
  const owned = sellerId === undefined ? sql`` : sql`and charge.seller_id = ${sellerId}`
  const newest = await readFound(
    db,
    search,
    sql`select charge.id from (
        select charge.* from charges charge where charge.status <> 'creating' ${owned}
        order by charge.created_at desc, charge.id desc limit ${sql.lit(FEW)}
      ) charge where ${holdsWords(search)}`,
  )
  if (newest.length === atMost) return newest
  const ids = idsWithWords(search)
  // Ids grow with time, so their order is the list's; each part finds a charge at most once.
  return readFound(db, search, sellerId === undefined ? sql`${ids} order by 1 desc limit ${atMost * 6}` : ids)
}

async function readFound(db: Db, { sellerId, atMost }: SearchFor, ids: ReturnType<typeof sql>): Promise<FoundCharge[]> {
  const owned = sellerId === undefined ? sql`true` : sql`charge.seller_id = ${sellerId}`
  const { rows } = await sql<Row>`
    select charge.id, charge.description, charge.page_title, charge.payer_name, charge.amount_cents, charge.status,
      charge.expires_at, charge.created_at, seller.name as seller_name
    from charges charge join users seller on seller.id = charge.seller_id
    where charge.status <> 'creating' and ${owned} and charge.id in (${ids})
    order by charge.created_at desc, charge.id desc limit ${atMost}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    description: row.description,
    pageTitle: row.page_title,
    payerName: row.payer_name,
    amountCents: row.amount_cents,
    status: row.status,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    sellerName: row.seller_name,
  }))
}

export interface SalesDay {
  /** São Paulo calendar day. */
  day: string
  count: number
  /** Less what was given back, as the net. */
  grossCents: Cents
  netCents: Cents
}

interface DaysOfSeller {
  sellerId: string
  dayFrom: string
  dayTo: string
}

/** One row per day, oldest first, including days without sales. The days are read as one range, not one by one. */
export async function readSalesDays(db: Db, { sellerId, dayFrom, dayTo }: DaysOfSeller): Promise<SalesDay[]> {
  const { rows } = await sql<SalesDay>`
    with total as materialized (
      select day, count, gross_cents - refunded_cents as gross_cents,
        net_cents - (refunded_cents - refunded_fee_cents) as net_cents
      from paid_day_totals
      where seller_id = ${sellerId} and day between ${dayFrom}::date and ${dayTo}::date
    )
    select
      to_char(calendar.day, 'YYYY-MM-DD') as day, coalesce(total.count, 0)::bigint as count,
      coalesce(total.gross_cents, 0)::bigint as "grossCents", coalesce(total.net_cents, 0)::bigint as "netCents"
    from generate_series(${dayFrom}::date, ${dayTo}::date, interval '1 day') calendar (day)
    left join total on total.day = calendar.day::date
    order by calendar.day`.execute(db)
  return rows
}

/** Among the charges created on these days, the number that got a code and the number that were paid. */
export async function readConversion(
  db: Db,
  { sellerId, dayFrom, dayTo }: DaysOfSeller,
): Promise<{ generated: number; paid: number }> {
  const { rows } = await sql<{ generated: number; paid: number }>`
    select
      coalesce(sum(count) filter (where status not in ${wordList(failedStatuses)}), 0)::bigint as generated,
      coalesce(sum(count) filter (where status in ${wordList(paidStatuses)}), 0)::bigint as paid
    from charge_day_totals
    where seller_id = ${sellerId} and day between ${dayFrom}::date and ${dayTo}::date`.execute(db)
  return rows[0] ?? { generated: 0, paid: 0 }
}

/** The list's rows in the list's order, each with the status that the list shows. */
export function chargesForSeller(filter: ChargeFilter, now: Date): Table {
  return {
    columns: [momentColumn("Data", "charge.created_at"), ...columns(now, sellersLabels, sellersPayer)],
    source: sql`(${chargesFound(filter)}) charge ${itsOrder} order by charge.created_at desc, charge.id desc`,
  }
}

export function chargesForAdmin(filter: ChargeFilter, now: Date): Table {
  return {
    columns: [
      momentColumn("Data", "charge.created_at"),
      textColumn("Vendedor", "seller.name"),
      textColumn("E-mail do vendedor", "seller.email"),
      ...columns(now, adminsLabels, [payerName]),
    ],
    source: sql`(${chargesFound(filter)}) charge join users seller on seller.id = charge.seller_id ${itsOrder}
      order by charge.created_at desc, charge.id desc`,
  }
}

const itsOrder = sql`left join orders ordered on ordered.page_id = charge.page_id`

const sellersLabels = Object.fromEntries(
  Object.entries(sellerStatusOf).map(([status, word]) => [status, sellerStatusLabels[word]]),
)
const adminsLabels = { ...sellersLabels, paid: "Aprovado" }

const payerName = textColumn(
  "Cliente",
  sql`case when charge.payer_erased_at is null then charge.payer_name else ${erasedDataLabel} end`,
)
/** The seller asked for these data; whoever runs the platform doesn't need them in a file. */
const sellersPayer = [
  payerName,
  textColumn("E-mail do cliente", "charge.payer_email"),
  documentColumn("CPF ou CNPJ do cliente", "charge.payer_document"),
  phoneColumn("Telefone do cliente", "charge.payer_phone"),
]

function columns(now: Date, labels: Record<string, string>, payer: readonly Column[]): Column[] {
  return [
    textColumn("Descrição", "charge.description"),
    textColumn("Página de cobrança", "charge.page_title"),
    ...payer,
    moneyColumn("Valor bruto (R$)", "charge.amount_cents"),
    moneyColumn("Taxa (R$)", "charge.fee_cents"),
    moneyColumn(
      "Valor líquido (R$)",
      sql`case when charge.status in ${wordList(paidStatuses)} then charge.net_cents end`,
    ),
    moneyColumn("Estornado (R$)", "charge.refunded_cents"),
    labelColumn("Status", statusAt(now), labels),
    valueColumn("Método", sql`'PIX'`),
    momentColumn("Pago em", "charge.paid_at"),
    valueColumn("ID da transação", "charge.id"),
    valueColumn("txid", "charge.txid"),
    textColumn("ID do Pix", "charge.end_to_end_id"),
    textColumn("Referência", "ordered.external_reference"),
  ]
}

function statusAt(now: Date): RawBuilder<unknown> {
  const overSince = new Date(now.getTime() - GRACE_MS)
  return sql`case when charge.status = 'pending' and charge.expires_at <= ${overSince} then 'expired' else charge.status end`
}
