import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import { lastLateDueDay } from "@tilinta/contract/vocabulary/invoices"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, type Selectable, sql } from "kysely"
import { type PastRow, pastRows } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { Day } from "#kit/clock"
import { isId } from "#kit/ids"
import { feeRuleOf } from "#selling/charge-pages/fee-columns"
import type { Invoice, Revision } from "./rules.ts"

export type InvoiceRow = Selectable<Schema["invoices"]>

type TermsRow = Pick<InvoiceRow, "amount_cents" | "due_day" | "days_after_due" | "terms">

export function termsOf(row: TermsRow): DueTerms {
  return { amountCents: row.amount_cents, dueDay: row.due_day, daysAfterDue: row.days_after_due, ...row.terms }
}

export function toInvoice(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    sellerId: row.seller_id,
    pageId: row.page_id,
    seriesId: row.series_id,
    subscriptionId: row.subscription_id,
    uniqueLink: row.unique_link,
    order: row.order_data,
    customer: { id: row.customer_id, ...row.customer },
    mode: row.mode,
    terms: termsOf(row),
    fee: feeRuleOf(row),
    adjustedDueDay: row.adjusted_due_day,
    lastDay: row.last_day,
    description: row.description,
    status: row.status,
    revision: row.revision,
    settledFor: row.settled_for,
    chargeId: row.charge_id,
    paidAt: row.paid_at,
    paid: row.paid_parts,
    pixCode: row.pix_code,
    bankRefusal: row.bank_refusal,
    debitFrom: row.debit_from,
    refundedAt: row.refunded_at,
    openedAt: row.opened_at,
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

export async function findInvoices(db: Db, ids: readonly string[]): Promise<Invoice[]> {
  const { rows } = await sql<InvoiceRow>`
    select * from invoices where id = any(${[...ids]}::uuid[]) order by due_day, id`.execute(db)
  return rows.map(toInvoice)
}

/** The terms by which a payment at this moment may be judged: its bank may not know the latest ones yet, nor have asked by them. */
export async function findPayableTerms(db: Db, pageId: string, since: Date): Promise<DueTerms[]> {
  const { rows } = await sql<TermsRow>`
    select was.* from invoices invoice
    join lateral (
      select *, lead(made_at) over (order by revision) as outdated_at
      from invoice_revisions where invoice_id = invoice.id
    ) was on true
    where invoice.page_id = ${pageId}
      and (was.outdated_at is null or was.outdated_at >= ${since} or was.revision >= invoice.bank_revision)
    order by was.revision desc`.execute(db)
  return rows.map(termsOf)
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

export async function findPastInvoices(db: Db, past: readonly PastRow[]): Promise<Map<number, Invoice>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<InvoiceRow & { sequence: number }>`
    select past.sequence, was.* from ${pastRows("invoices", past)}`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toInvoice(row)]))
}

/** Open ones that are late since today or before, of which nobody was told. Those that are over are told as expired. */
/** All that sellers of the given ones were told of since then, and is still open, whatever part of it these are. */
export async function sumPublishedOverdue(
  db: Db,
  ids: readonly string[],
  since: Date,
): Promise<{ sellerId: string; count: number; amountCents: Cents }[]> {
  const { rows } = await sql<{ sellerId: string; count: number; amountCents: Cents }>`
    select seller_id as "sellerId", count(*) as count, sum(amount_cents)::bigint as "amountCents" from invoices
    where seller_id in (select seller_id from invoices where id = any(${[...ids]}::uuid[]))
      and status = 'open' and overdue_published_at >= ${since}
    group by seller_id`.execute(db)
  return rows
}

export async function findUnpublishedOverdue(db: Db, today: Day, atMost: number): Promise<OverInvoice[]> {
  const { rows } = await sql<OverInvoice>`
    select id, page_id as "pageId" from invoices
    where status = 'open' and overdue_published_at is null and due_day <= ${lastLateDueDay(today)}::date
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
