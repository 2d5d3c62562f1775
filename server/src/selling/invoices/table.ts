import type { DueAmount } from "@tilinta/contract/vocabulary/due-amount"
import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { Day } from "#kit/clock"
import { feeColumns } from "#selling/charge-pages/fee-columns"
import type { Invoice } from "./rules.ts"

function termColumns({ terms: { amountCents, dueDay, daysAfterDue, ...rest } }: Invoice) {
  return {
    amount_cents: amountCents,
    due_day: dueDay,
    days_after_due: daysAfterDue,
    terms: JSON.stringify(rest),
  }
}

function changeableColumns(invoice: Invoice) {
  return {
    ...termColumns(invoice),
    adjusted_due_day: invoice.adjustedDueDay,
    last_day: invoice.lastDay,
    order_data: JSON.stringify(invoice.order),
    description: invoice.description,
    revision: invoice.revision,
    settled_for: invoice.settledFor,
    status: invoice.status,
    updated_at: invoice.updatedAt,
  }
}

export interface ClaimedInvoice {
  id: string
  pageId: string
  sellerId: string
}

/** Leases open ones whose terms the bank doesn't know; what isn't finished is claimed again. */
export async function claimUnsent(
  tx: Tx,
  { id, now, until, atMost }: { id: string | null; now: Date; until: Date; atMost: number },
): Promise<ClaimedInvoice[]> {
  const { rows } = await sql<ClaimedInvoice>`
    update invoices set bank_ask_at = ${until}
    where id in (
      select id from invoices
      where mode = 'bank' and status = 'open' and bank_revision is distinct from revision and bank_ask_at <= ${now}
        and (${id}::uuid is null or id = ${id})
      order by bank_ask_at limit ${atMost} for update skip locked
    ) returning id, page_id as "pageId", seller_id as "sellerId"`.execute(tx)
  return rows
}

export interface KeptCode {
  pageId: string
  pixCode: string
  /** The terms that the bank confirmed. */
  revision: number
}

/** Under the page's lock. */
export async function keepCodeRow(tx: Tx, { pageId, pixCode, revision }: KeptCode): Promise<void> {
  await sql`
    update invoices set pix_code = ${pixCode}, bank_revision = ${revision}, bank_ask_at = '-infinity'
    where page_id = ${pageId} and mode = 'bank' and status = 'open' and coalesce(bank_revision, 0) <= ${revision}`.execute(
    tx,
  )
}

export async function forgetCodes(tx: Tx, pageIds: readonly string[]): Promise<void> {
  await sql`
    update invoices set pix_code = null, bank_revision = null
    where page_id = any(${[...pageIds]}::uuid[]) and pix_code is not null and status <> 'paid'`.execute(tx)
}

/** Each day then has a code of its own. */
export async function markDaily(tx: Tx, pageId: string, refusal: string, now: Date): Promise<void> {
  await sql`
    update invoices set mode = 'daily', bank_refusal = ${refusal}, pix_code = null, bank_revision = null, updated_at = ${now}
    where page_id = ${pageId} and mode = 'bank' and status = 'open'`.execute(tx)
}

export async function markBank(tx: Tx, id: string, now: Date): Promise<void> {
  const columns = { mode: "bank", bank_refusal: null, updated_at: now } as const
  await tx.updateTable("invoices").set(columns).where("id", "=", id).execute()
}

type Later =
  | "overdue_published_at"
  | "opened_at"
  | "refunded_at"
  | "charge_id"
  | "pix_code"
  | "bank_revision"
  | "bank_refusal"
  | "bank_ask_at"
  | "debit_from"
  | "paid_cents"
  | "paid_at"
  | "paid_parts"

export async function insertInvoice(tx: Tx, invoice: Invoice): Promise<void> {
  const { id: customerId, ...customer } = invoice.customer
  await tx
    .insertInto("invoices")
    .values({
      id: invoice.id,
      seller_id: invoice.sellerId,
      customer_id: customerId,
      customer: JSON.stringify(customer),
      page_id: invoice.pageId,
      series_id: invoice.seriesId,
      subscription_id: invoice.subscriptionId,
      unique_link: invoice.uniqueLink,
      mode: invoice.mode,
      ...feeColumns(invoice.fee),
      created_at: invoice.createdAt,
      ...changeableColumns(invoice),
    } satisfies NewRow<"invoices", Later>)
    .execute()
  await insertRevision(tx, invoice)
}

export async function updateInvoiceRow(tx: Tx, invoice: Invoice): Promise<void> {
  await tx.updateTable("invoices").set(changeableColumns(invoice)).where("id", "=", invoice.id).execute()
}

export async function insertRevision(tx: Tx, invoice: Invoice): Promise<void> {
  await tx
    .insertInto("invoice_revisions")
    .values({
      invoice_id: invoice.id,
      revision: invoice.revision,
      made_at: invoice.updatedAt,
      ...termColumns(invoice),
    } satisfies NewRow<"invoice_revisions">)
    .execute()
}

/** True when no code of this day was made before. */
export async function insertDayOnce(
  tx: Tx,
  { id, revision, terms }: Invoice,
  { day, amount, discount, fine, interest }: DueAmount & { day: Day },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("invoice_days")
    .values({
      invoice_id: id,
      revision,
      day,
      amount_cents: amount,
      original_cents: terms.amountCents,
      discount_cents: discount,
      fine_cents: fine,
      interest_cents: interest,
    } satisfies NewRow<"invoice_days">)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

export async function markExpiredInvoices(
  tx: Tx,
  ids: readonly string[],
  today: Day,
  now: Date,
): Promise<{ id: string; pageId: string }[]> {
  const { rows } = await sql<{ id: string; pageId: string }>`
    update invoices set status = 'expired', updated_at = ${now}
    where id = any(${[...ids]}::uuid[]) and status = 'open' and last_day < ${today}::date
    returning id, page_id as "pageId"`.execute(tx)
  return rows
}

/** Returns those that were still open, late and untold. */
export async function markOverduePublished(tx: Tx, ids: readonly string[], today: Day, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update invoices set overdue_published_at = ${now}
    where id = any(${[...ids]}::uuid[]) and status = 'open' and overdue_published_at is null
      and adjusted_due_day < ${today}::date
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Writes once, however often it is opened. */
export async function markOpened(tx: Tx, link: string, now: Date): Promise<void> {
  await sql`
    update invoices set opened_at = ${now}
    where page_id = (select id from charge_pages where is_invoice and unique_link = ${link}) and opened_at is null`.execute(
    tx,
  )
}

export async function forgetOverdue(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("invoices").set({ overdue_published_at: null }).where("id", "=", id).execute()
}

/** After their pages, as locks go. */
export async function markOpenInvoicesCancelled(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await sql`
    update invoices set status = 'cancelled', updated_at = ${now}
    where seller_id = ${sellerId} and status = 'open'`.execute(tx)
}

export async function setDebitFrom(tx: Tx, id: string, from: Date | null): Promise<void> {
  await tx.updateTable("invoices").set({ debit_from: from }).where("id", "=", id).execute()
}
