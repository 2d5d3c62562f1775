import { dueAmountOn } from "@tilinta/contract/vocabulary/due-amount"
import {
  type InvoiceFilter,
  type InvoiceState,
  invoiceStateLabels,
  lastLateDueDay,
} from "@tilinta/contract/vocabulary/invoices"
import { addCents, type Cents, noMoney, timesCents } from "@tilinta/contract/vocabulary/money"
import { erasedDataLabel } from "@tilinta/contract/vocabulary/payer-data"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import {
  documentColumn,
  labelColumn,
  momentColumn,
  moneyColumn,
  type Table,
  textColumn,
  valueColumn,
} from "#db/exports"
import { comesAfter, dayWithin, type ListRange, requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import type { Day } from "#kit/clock"
import { isId } from "#kit/ids"
import { holdsSearch } from "#selling/customers/reads"
import { type InvoiceRow, termsOf, toInvoice } from "./reads.ts"
import type { Invoice } from "./rules.ts"

export interface InvoicesFilter {
  /** All sellers' where it is absent. */
  sellerId?: string | undefined
  today: Day
  status?: InvoiceFilter | undefined
  dueFrom?: Day | undefined
  dueTo?: Day | undefined
  customerId?: string | undefined
  search?: string | undefined
  externalReference?: string | undefined
}

const isEnded = sql`status in ('cancelled', 'expired', 'settled_outside')`

/** Each as its partial index has it; what the days say is decided by days, whatever the job has marked. */
function ofStatus(status: InvoiceFilter, today: Day): RawBuilder<SqlBool> {
  // A sum, because statistics of all invoices take an open one for a rarity on days to come, and choose a wrong index.
  const isOver = sql`last_day + 0 < ${today}::date`
  const late = lastLateDueDay(today)
  return {
    open: sql<SqlBool>`status = 'open' and not ${isOver}`,
    due: sql<SqlBool>`status = 'open' and due_day > ${late}::date`,
    overdue: sql<SqlBool>`status = 'open' and due_day <= ${late}::date and not ${isOver}`,
    paid: sql<SqlBool>`status = 'paid'`,
    ended: sql<SqlBool>`(${isEnded} or status = 'open' and ${isOver})`,
    cancelled: sql<SqlBool>`status = 'cancelled'`,
    expired: sql<SqlBool>`(status = 'expired' or status = 'open' and ${isOver})`,
    settled_outside: sql<SqlBool>`status = 'settled_outside'`,
  }[status]
}

function ofSeller(sellerId: string | undefined): RawBuilder<SqlBool> {
  if (sellerId === undefined) return sql`true`
  return isId(sellerId) ? sql`seller_id = ${sellerId}` : sql`false`
}

function conditions({
  sellerId,
  today,
  status,
  dueFrom,
  dueTo,
  customerId,
  search,
  externalReference,
}: InvoicesFilter) {
  const parts = [ofSeller(sellerId)]
  if (status !== undefined) parts.push(ofStatus(status, today))
  if (dueFrom !== undefined || dueTo !== undefined) parts.push(dayWithin("due_day", { dayFrom: dueFrom, dayTo: dueTo }))
  if (customerId !== undefined) parts.push(isId(customerId) ? sql`customer_id = ${customerId}` : sql<SqlBool>`false`)
  if (externalReference !== undefined) {
    parts.push(sql`page_id in (
      select page_id from orders where ${ofSeller(sellerId)} and external_reference = ${externalReference}
    )`)
  }
  if (search) parts.push(holdsSearch(search))
  return sql.join(parts, sql` and `)
}

interface InvoiceList {
  invoices: Invoice[]
  /** The number of invoices that the filter finds, whatever the page of the list. */
  results: number
}

export async function listInvoices(db: Db, query: InvoicesFilter & ListRange): Promise<InvoiceList> {
  const { after, order = "newest", limit, offset } = query
  const direction = order === "newest" ? sql`desc` : sql`asc`
  const start = after === undefined ? sql`true` : comesAfter("invoices", "invoices", after, order)
  const [{ rows }, results] = await Promise.all([
    sql<InvoiceRow>`
      select * from ${foundIn(query, sql`${start} order by due_day ${direction}, id ${direction} limit ${limit + offset}`)}
      order by due_day ${direction}, id ${direction} limit ${limit} offset ${offset}`.execute(db),
    countInvoices(db, query),
  ])
  const invoices = rows.map(toInvoice)
  await requireRowBefore(db, "invoices", query, invoices)
  return { invoices, results }
}

/** Ended ones that the job has marked, and the few that it has not, are read by an index each. */
function foundIn(query: InvoicesFilter, range: RawBuilder<unknown>): RawBuilder<unknown> {
  if (query.status !== "ended") return sql`(select * from invoices where ${conditions(query)} and ${range}) found`
  const others = conditions({ ...query, status: undefined })
  return sql`(
    (select * from invoices where ${isEnded} and ${others} and ${range})
    union all
    (select * from invoices where ${isUnmarked(query.today)} and ${others} and ${range})
  ) found`
}

/** Open as long as the job has not come; the order chooses its index. */
function isUnmarked(today: Day): RawBuilder<SqlBool> {
  return sql`id = any(array(select id from invoices where status = 'open' and last_day < ${today}::date order by last_day))`
}

async function countInvoices(db: Db, query: InvoicesFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select sum(count)::bigint as count from (${countsOf(query)}) part`.execute(db)
  return rows[0]?.count ?? 0
}

/** Kept counts where the filter names none but a status; whatever days change is counted among the open ones. */
function countsOf(query: InvoicesFilter): RawBuilder<unknown> {
  const { sellerId, today, status, dueFrom, dueTo, customerId, search, externalReference } = query
  const isNarrowed = [dueFrom, dueTo, customerId, search || undefined, externalReference].some(
    (part) => part !== undefined,
  )
  const isByDays = status === "open" || status === "due" || status === "overdue" || status === "expired"
  const counted = sql`select count(*) as count from invoices where`
  if (isNarrowed || isByDays) return sql`${counted} ${conditions(query)}`
  const kept = sql`select coalesce(sum(count), 0) as count from invoice_totals where ${ofSeller(sellerId)}`
  if (status === undefined) return kept
  if (status !== "ended") return sql`${kept} and status = ${status}`
  return sql`${kept} and ${isEnded} union all ${counted} ${isUnmarked(today)} and ${ofSeller(sellerId)}`
}

export interface Debt {
  /** Today's amounts of open ones, overdue ones among them. */
  openCents: Cents
  overdueCents: Cents
}
interface InvoiceSums extends Debt {
  receivedCents: Cents
}

export const noDebt: Debt = { openCents: noMoney, overdueCents: noMoney }

type OpenRow = Pick<InvoiceRow, "amount_cents" | "due_day" | "days_after_due" | "terms" | "adjusted_due_day">

function withAmount({ openCents, overdueCents }: Debt, row: OpenRow & { count: number }, today: Day): Debt {
  const amount = timesCents(dueAmountOn(termsOf(row), today).amount, row.count)
  return {
    openCents: addCents(openCents, amount),
    overdueCents: row.adjusted_due_day < today ? addCents(overdueCents, amount) : overdueCents,
  }
}

/** Debts of these customers; whoever isn't in it has none. */
export async function sumDebts(db: Db, customerIds: readonly string[], today: Day): Promise<Map<string, Debt>> {
  const { rows } = await sql<OpenRow & { customer_id: string; count: number }>`
    select customer_id, amount_cents, due_day, days_after_due, terms, adjusted_due_day, 1 as count from invoices
    where customer_id = any(${[...customerIds]}::uuid[]) and ${ofStatus("open", today)}`.execute(db)
  const debts = new Map<string, Debt>()
  for (const row of rows) debts.set(row.customer_id, withAmount(debts.get(row.customer_id) ?? noDebt, row, today))
  return debts
}

/** Today's sum of the overdue ones of subscriptions. */
export async function sumOverdueOfSubscriptions(db: Db, sellerId: string, today: Day): Promise<Cents> {
  const { rows } = await sql<OpenRow & { count: number }>`
    select amount_cents, due_day, days_after_due, terms, adjusted_due_day, count(*) as count from invoices
    where seller_id = ${sellerId} and subscription_id is not null and ${ofStatus("overdue", today)}
    group by 1, 2, 3, 4, 5`.execute(db)
  return rows.reduce((sum, row) => withAmount(sum, row, today), noDebt).overdueCents
}

/** Open invoices of the same terms ask the same, so the calculator runs once for each terms, not for each invoice. */
export async function sumInvoices(db: Db, sellerId: string, today: Day): Promise<InvoiceSums> {
  const [{ rows: open }, { rows: paid }] = await Promise.all([
    sql<OpenRow & { count: number }>`
      select amount_cents, due_day, days_after_due, terms, adjusted_due_day, count(*) as count from invoices
      where seller_id = ${sellerId} and ${ofStatus("open", today)} group by 1, 2, 3, 4, 5`.execute(db),
    sql<{ cents: Cents }>`
      select paid_cents as cents from invoice_totals where seller_id = ${sellerId} and status = 'paid'`.execute(db),
  ])
  const debt = open.reduce((sum, row) => withAmount(sum, row, today), noDebt)
  return { ...debt, receivedCents: paid[0]?.cents ?? noMoney }
}

/** The ones due last, for the search of everything. */
export async function searchInvoices(
  db: Db,
  { words, sellerId, atMost }: { words: string; sellerId: string; atMost: number },
): Promise<Invoice[]> {
  const { rows } = await sql<InvoiceRow>`
    select * from invoices where seller_id = ${sellerId} and ${holdsSearch(words)}
    order by due_day desc, id desc limit ${atMost}`.execute(db)
  return rows.map(toInvoice)
}

type Part = "discountCents" | "fineCents" | "interestCents"

/** The list, by the same filter, for a file. */
export function invoicesTable(filter: InvoicesFilter): Table {
  const { today } = filter
  const part = (name: Part) => sql`(invoice.paid_parts ->> ${name})::bigint`
  return {
    columns: [
      valueColumn("Vencimento", "invoice.due_day"),
      textColumn("Cliente", sql`coalesce(nullif(invoice.customer ->> 'name', ''), ${erasedDataLabel})`),
      documentColumn("CPF ou CNPJ", "invoice.document"),
      textColumn("Descrição", "invoice.description"),
      textColumn("Referência", sql`invoice.order_data ->> 'externalReference'`),
      moneyColumn("Valor original", "invoice.amount_cents"),
      labelColumn("Status", stateAt(today), invoiceStateLabels),
      momentColumn("Paga em", "invoice.paid_at"),
      moneyColumn("Pago", "invoice.paid_cents"),
      moneyColumn("Desconto", part("discountCents")),
      moneyColumn("Multa", part("fineCents")),
      moneyColumn("Juros", part("interestCents")),
      valueColumn("ID", "invoice.id"),
      valueColumn("ID da transação", "invoice.charge_id"),
    ],
    source: sql`(select *, customer ->> 'document' as document from invoices where ${conditions(filter)}) invoice
      order by invoice.due_day desc, invoice.id desc`,
  }
}

/** As invoiceStateOn says it. */
function stateAt(today: Day): RawBuilder<InvoiceState> {
  return sql`case
    when invoice.status = 'paid' and invoice.refunded_at is not null then 'refunded'
    when invoice.status = 'paid' and sao_paulo_day(invoice.paid_at) > invoice.adjusted_due_day then 'paid_late'
    when invoice.status not in ('open', 'creating') then invoice.status
    when invoice.last_day < ${today}::date then 'expired'
    when invoice.adjusted_due_day < ${today}::date then 'overdue'
    when invoice.adjusted_due_day = ${today}::date then 'due_today'
    else 'due'
  end`
}
