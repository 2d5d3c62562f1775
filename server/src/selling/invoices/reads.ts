import { type DueTerms, dueAmountOn } from "@tilinta/contract/vocabulary/due-amount"
import { type InvoiceFilter, lastLateDueDay } from "@tilinta/contract/vocabulary/invoices"
import { addCents, type Cents, noMoney, timesCents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely"
import { comesAfter, dayWithin, type ListRange, requireRowBefore } from "#db/list-range"
import { type PastRow, pastRows } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { Day } from "#kit/clock"
import { isId } from "#kit/ids"
import { holdsSearch } from "#selling/customers/reads"
import type { Invoice, Revision } from "./rules.ts"

type InvoiceRow = Selectable<Schema["invoices"]>

function termsOf(row: Pick<InvoiceRow, "amount_cents" | "due_day" | "days_after_due" | "terms">): DueTerms {
  return { amountCents: row.amount_cents, dueDay: row.due_day, daysAfterDue: row.days_after_due, ...row.terms }
}

function toInvoice(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    sellerId: row.seller_id,
    pageId: row.page_id,
    seriesId: row.series_id,
    uniqueLink: row.unique_link,
    order: row.order_data,
    customer: { id: row.customer_id, ...row.customer },
    mode: row.mode,
    terms: termsOf(row),
    adjustedDueDay: row.adjusted_due_day,
    lastDay: row.last_day,
    description: row.description,
    status: row.status,
    revision: row.revision,
    settledFor: row.settled_for,
    chargeId: row.charge_id,
    paidAt: row.paid_at,
    paid: row.paid_parts,
    refundedAt: row.refunded_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function findInvoice(db: Db, { id, sellerId }: { id: string; sellerId: string }): Promise<Invoice | null> {
  if (!isId(id)) return null
  const row = await db
    .selectFrom("invoices")
    .selectAll()
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .executeTakeFirst()
  return row === undefined ? null : toInvoice(row)
}

export async function findInvoiceOfPage(db: Db, pageId: string): Promise<Invoice | null> {
  const row = await db.selectFrom("invoices").selectAll().where("page_id", "=", pageId).executeTakeFirst()
  return row === undefined ? null : toInvoice(row)
}

/** All that one call made. */
export async function listSeries(db: Db, sellerId: string, seriesId: string): Promise<Invoice[]> {
  const rows = await db
    .selectFrom("invoices")
    .selectAll()
    .where("series_id", "=", seriesId)
    .where("seller_id", "=", sellerId)
    .orderBy("due_day")
    .orderBy("id")
    .execute()
  return rows.map(toInvoice)
}

export async function listRevisions(db: Db, invoiceId: string): Promise<Revision[]> {
  const rows = await db
    .selectFrom("invoice_revisions")
    .selectAll()
    .where("invoice_id", "=", invoiceId)
    .orderBy("revision")
    .execute()
  return rows.map((row) => ({ revision: row.revision, terms: termsOf(row), madeAt: row.made_at }))
}

interface InvoicesQuery extends ListRange {
  sellerId: string
  today: Day
  status?: InvoiceFilter | undefined
  dueFrom?: Day | undefined
  dueTo?: Day | undefined
  customerId?: string | undefined
  search?: string | undefined
  externalReference?: string | undefined
}

/** Each as its partial index has it; what the days say is decided by days, whatever the job has marked. */
function ofStatus(status: InvoiceFilter, today: Day): RawBuilder<SqlBool> {
  const isOver = sql`last_day < ${today}::date`
  const late = lastLateDueDay(today)
  return {
    open: sql<SqlBool>`status = 'open' and not ${isOver}`,
    due: sql<SqlBool>`status = 'open' and due_day > ${late}::date`,
    overdue: sql<SqlBool>`status = 'open' and due_day <= ${late}::date and not ${isOver}`,
    paid: sql<SqlBool>`status = 'paid'`,
    ended: sql<SqlBool>`(status in ('cancelled', 'expired', 'settled_outside') or status = 'open' and ${isOver})`,
    cancelled: sql<SqlBool>`status = 'cancelled'`,
    expired: sql<SqlBool>`(status = 'expired' or status = 'open' and ${isOver})`,
    settled_outside: sql<SqlBool>`status = 'settled_outside'`,
  }[status]
}

function conditions({ sellerId, today, status, dueFrom, dueTo, customerId, search, externalReference }: InvoicesQuery) {
  const parts: RawBuilder<SqlBool>[] = [sql`seller_id = ${sellerId}`]
  if (status !== undefined) parts.push(ofStatus(status, today))
  if (dueFrom !== undefined || dueTo !== undefined) parts.push(dayWithin("due_day", { dayFrom: dueFrom, dayTo: dueTo }))
  if (customerId !== undefined) parts.push(isId(customerId) ? sql`customer_id = ${customerId}` : sql<SqlBool>`false`)
  if (externalReference !== undefined) {
    parts.push(sql`page_id in (
      select page_id from orders where seller_id = ${sellerId} and external_reference = ${externalReference}
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

export async function listInvoices(db: Db, query: InvoicesQuery): Promise<InvoiceList> {
  const { after, order = "newest", limit, offset } = query
  const direction = order === "newest" ? sql`desc` : sql`asc`
  const start = after === undefined ? sql`true` : comesAfter("invoices", "invoices", after, order)
  const [{ rows }, results] = await Promise.all([
    sql<InvoiceRow>`
      select * from invoices where ${conditions(query)} and ${start}
      order by due_day ${direction}, id ${direction} limit ${limit} offset ${offset}`.execute(db),
    countInvoices(db, query),
  ])
  const invoices = rows.map(toInvoice)
  await requireRowBefore(db, "invoices", query, invoices)
  return { invoices, results }
}

/** Kept counts where the filter names none or one that no day changes. */
async function countInvoices(db: Db, query: InvoicesQuery): Promise<number> {
  const { sellerId, status, dueFrom, dueTo, customerId, search, externalReference } = query
  const isNarrowed = [dueFrom, dueTo, customerId, search || undefined, externalReference].some(
    (part) => part !== undefined,
  )
  const isKept = status === undefined || status === "paid" || status === "cancelled" || status === "settled_outside"
  const { rows } =
    isKept && !isNarrowed
      ? await sql<{ count: number }>`
          select coalesce(sum(count), 0)::bigint as count from invoice_totals
          where seller_id = ${sellerId} and ${status === undefined ? sql`true` : sql`status = ${status}`}`.execute(db)
      : await sql<{ count: number }>`select count(*) as count from invoices where ${conditions(query)}`.execute(db)
  return rows[0]?.count ?? 0
}

interface InvoiceSums {
  /** What open ones ask today, overdue ones among them. */
  openCents: Cents
  overdueCents: Cents
  receivedCents: Cents
}

/** Open invoices of the same terms ask the same, so the calculator runs once for each terms, not for each invoice. */
export async function sumInvoices(db: Db, sellerId: string, today: Day): Promise<InvoiceSums> {
  const [{ rows: open }, { rows: paid }] = await Promise.all([
    sql<
      Pick<InvoiceRow, "amount_cents" | "due_day" | "days_after_due" | "terms" | "adjusted_due_day"> & { count: number }
    >`
      select amount_cents, due_day, days_after_due, terms, adjusted_due_day, count(*) as count from invoices
      where seller_id = ${sellerId} and ${ofStatus("open", today)} group by 1, 2, 3, 4, 5`.execute(db),
    sql<{ cents: Cents }>`
      select paid_cents as cents from invoice_totals where seller_id = ${sellerId} and status = 'paid'`.execute(db),
  ])
  const sums: InvoiceSums = { openCents: noMoney, overdueCents: noMoney, receivedCents: paid[0]?.cents ?? noMoney }
  for (const row of open) {
    const asked = timesCents(dueAmountOn(termsOf(row), today).amount, row.count)
    sums.openCents = addCents(sums.openCents, asked)
    if (row.adjusted_due_day < today) sums.overdueCents = addCents(sums.overdueCents, asked)
  }
  return sums
}

interface OverInvoice {
  id: string
  pageId: string
}

/** Open ones after their last day. Locks nothing: pages come before invoices. */
export async function findOverInvoices(db: Db, today: Day, atMost: number): Promise<OverInvoice[]> {
  const { rows } = await sql<OverInvoice>`
    select id, page_id as "pageId" from invoices where status = 'open' and last_day < ${today}::date
    order by last_day limit ${atMost}`.execute(db)
  return rows
}

/** By its page's link, also once the page is closed. */
export async function findInvoiceOfLink(db: Db, link: string): Promise<Invoice | null> {
  const { rows } = await sql<InvoiceRow>`
    select invoice.* from charge_pages page join invoices invoice on invoice.page_id = page.id
    where page.is_invoice and page.unique_link = ${link}`.execute(db)
  return rows[0] === undefined ? null : toInvoice(rows[0])
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

export async function findPastInvoices(db: Db, past: readonly PastRow[]): Promise<Map<number, Invoice>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<InvoiceRow & { sequence: number }>`
    select past.sequence, was.* from ${pastRows("invoices", past)}`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toInvoice(row)]))
}

/** Open ones that are late since today or before, of which nobody was told. Those that are over are told as expired. */
export async function findUntoldOverdue(db: Db, today: Day, atMost: number): Promise<OverInvoice[]> {
  const { rows } = await sql<OverInvoice>`
    select id, page_id as "pageId" from invoices
    where status = 'open' and overdue_told_at is null and due_day <= ${lastLateDueDay(today)}::date
      and last_day >= ${today}::date
    order by due_day limit ${atMost}`.execute(db)
  return rows
}

interface InvoiceDifference {
  what: string
  expected: string
  found: string
}

const totalsAgainstRows: RawBuilder<InvoiceDifference> = sql`
  select 'cobranças com vencimento do vendedor ' || seller_id || ' ' || status as what,
    concat_ws(' / ', coalesce(real.count, 0), coalesce(real.paid, 0)) as expected,
    concat_ws(' / ', coalesce(kept.count, 0), coalesce(kept.paid_cents, 0)) as found
  from invoice_totals kept
  full join (
    select seller_id, status, count(*) as count, coalesce(sum(paid_cents), 0) as paid from invoices group by 1, 2
  ) real using (seller_id, status)
  where (coalesce(kept.count, 0), coalesce(kept.paid_cents, 0)) <> (coalesce(real.count, 0), coalesce(real.paid, 0))`

/** One that was paid names the first charge of its page that was, and the parts are of its amount. */
const paidAgainstCharges: RawBuilder<InvoiceDifference> = sql`
  select 'pagamento da cobrança com vencimento ' || invoice.id as what,
    concat_ws(' / ', charge.id, charge.end_to_end_id, charge.amount_cents) as expected,
    concat_ws(' / ', invoice.charge_id, parts.end_to_end_id, parts.paid_cents) as found
  from invoices invoice
  left join invoice_payments parts on parts.invoice_id = invoice.id
  left join lateral (
    select * from charges
    where page_id = invoice.page_id and paid_at is not null
    order by id = invoice.charge_id desc nulls last limit 1
  ) charge on true
  where (invoice.charge_id, invoice.paid_cents, parts.end_to_end_id, parts.paid_cents)
    is distinct from (charge.id, charge.amount_cents, charge.end_to_end_id, charge.amount_cents)`

const copiesAgainstCustomers: RawBuilder<InvoiceDifference> = sql`
  select 'cliente da cobrança com vencimento ' || invoice.id as what, 'o cadastro' as expected, 'outra cópia' as found
  from invoices invoice
  join customers customer on customer.id = invoice.customer_id
  where invoice.customer is distinct from jsonb_build_object(
    'name', customer.name, 'document', customer.document, 'email', customer.email, 'phone', customer.phone
  )`

export async function findInvoiceDifferences(db: Db): Promise<InvoiceDifference[]> {
  const results = await Promise.all([
    totalsAgainstRows.execute(db),
    paidAgainstCharges.execute(db),
    copiesAgainstCustomers.execute(db),
  ])
  return results.flatMap(({ rows }) => rows)
}
