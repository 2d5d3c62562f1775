import {
  defaultReminderTexts,
  REMINDERS_A_DAY,
  type ReminderStep,
  reminderSteps,
} from "@tilinta/contract/vocabulary/reminders"
import { type Selectable, sql } from "kysely"
import { uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { type Day, daysAfter, saoPauloDay, startOfDay, type Times } from "#kit/clock"
import { type InvoiceRow, toInvoice } from "#selling/invoices/reads"
import { type Invoice, lastDebitUnderWay } from "#selling/invoices/rules"
import { daysToFind, type OwnSteps, type Reminder, type ReminderSettings, waitingDaysToFind } from "./rules.ts"

type ReminderRow = Selectable<Schema["reminders"]>

export function toReminder(row: ReminderRow): Reminder {
  return {
    id: row.id,
    sellerId: row.seller_id,
    customerId: row.customer_id,
    invoiceId: row.invoice_id,
    step: row.step,
    channel: row.channel,
    day: row.day,
    amountCents: row.amount_cents,
    mailKey: row.mail_key,
    status: row.status,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  }
}

export interface StoredSettings {
  enabled: boolean
  enabledAt: Date | null
  own: OwnSteps
}

export async function readStoredSettings(db: Db, sellerId: string): Promise<StoredSettings> {
  const row = await db
    .selectFrom("reminder_settings")
    .select(["enabled", "enabled_at as enabledAt", "steps as own"])
    .where("seller_id", "=", sellerId)
    .executeTakeFirst()
  return row ?? { enabled: false, enabledAt: null, own: {} }
}

/** With our texts where the seller wrote none. */
export async function readReminderSettings(db: Db, sellerId: string): Promise<ReminderSettings> {
  const { enabled, enabledAt, own } = await readStoredSettings(db, sellerId)
  const steps = reminderSteps.map((step) => {
    return [step, { enabled: own[step]?.enabled ?? true, text: own[step]?.text ?? defaultReminderTexts[step] }]
  })
  return { enabled, enabledAt, steps: Object.fromEntries(steps) as ReminderSettings["steps"] }
}

interface DueCustomer {
  sellerId: string
  id: string
  invoiceIds: string[]
}

/**
 * Customers of whom something is to be reminded of today, and who were not reminded today. Locks nothing: what it finds is
 * asked again under the customer's lock.
 */
export async function findDueCustomers(
  db: Db,
  { now, due }: Times,
  { after, limit }: { after: string | null; limit: number },
): Promise<DueCustomer[]> {
  const today = saoPauloDay(due)
  // Once a seller, not once an invoice: a day has many of each.
  const fullOn = (day: Day) => sql`
    select seller_id from reminder_settings
    where enabled and (${mailsOfDay(sql.ref("reminder_settings.seller_id"), day)}) >= ${REMINDERS_A_DAY}`
  const found = [
    ...daysToFind(today).map((each) => ({ ...each, isFound: sql`true` })),
    ...waitingDaysToFind(today).map((each) => ({
      ...each,
      isFound: sql`seller_id in (select full_yesterday.seller_id from full_yesterday)`,
    })),
  ]
  const dated = found.map(
    ({ step, column, day, isFound }) => sql`
      select id, seller_id, customer_id, ${step}::text as step from invoices
      where status = 'open' and ${sql.ref(column)} = ${day}::date and last_day >= ${today}::date
        and ${hasCode(due)} and ${isFound}`,
  )
  const { rows } = await sql<DueCustomer>`
    with full_today as materialized (${fullOn(today)}),
    full_yesterday as materialized (${fullOn(daysAfter(today, -1))}),
    due as (
      ${sql.join(dated, sql` union all `)}
      union all
      select invoice.id, invoice.seller_id, invoice.customer_id, 'created' as step
      from invoices invoice join reminder_settings chosen on chosen.seller_id = invoice.seller_id
      where invoice.status = 'open' and invoice.last_day >= ${today}::date
        and invoice.created_at >= ${startOfDay(daysAfter(saoPauloDay(now), -1))} and invoice.created_at >= chosen.enabled_at
        and ${hasCode(due)}
        and not exists (
          select from reminders told where told.invoice_id = invoice.id and told.status <> 'withheld'
        )
    )
    select due.seller_id as "sellerId", customer.id, array_agg(distinct due.id) as "invoiceIds"
    from due
    join reminder_settings chosen on chosen.seller_id = due.seller_id
    join customers customer on customer.id = due.customer_id
    join users seller on seller.id = due.seller_id
    where chosen.enabled and coalesce((chosen.steps -> due.step ->> 'enabled')::boolean, true) and seller.active
      and customer.email is not null and customer.reminders_ended_at is null
      and ${after === null ? sql`true` : sql`customer.id > ${after}`}
      and not exists (
        select from reminders told
        where told.customer_id = customer.id and told.day = ${today}::date and told.status <> 'withheld'
      )
      and due.seller_id not in (select full_today.seller_id from full_today)
    group by due.seller_id, customer.id order by customer.id limit ${limit}`.execute(db)
  return rows
}

/** No debit of it is under way. */
function hasCode(due: Date) {
  return sql`coalesce(debit_from, 'infinity') > ${lastDebitUnderWay(due)}`
}

function mailsOfDay(sellerId: unknown, day: Day) {
  return sql<number>`
    select count(distinct told.mail_key) from reminders told
    where told.seller_id = ${sellerId} and told.day = ${day}::date and told.mail_key is not null`
}

/** Mails of reminders that were queued on the day, also by hand. */
export async function countMailsOfDay(db: Db, sellerId: string, day: Day): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (${mailsOfDay(sellerId, day)}) as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Those whose page takes payments. */
export async function findPayableIds(db: Db, invoiceIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select invoice.id from invoices invoice
    join charge_pages page on page.id = invoice.page_id
    join users seller on seller.id = invoice.seller_id
    where invoice.id = any(${uuidList(invoiceIds)}) and page.suspended_at is null and seller.active`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function listRemindersOfDay(db: Db, customerIds: readonly string[], day: Day): Promise<Reminder[]> {
  const { rows } = await sql<ReminderRow>`
    select * from reminders where customer_id = any(${uuidList(customerIds)}) and day = ${day}::date
    order by id desc`.execute(db)
  return rows.map(toReminder)
}

/** The newest first. */
export async function listRemindersOfCustomer(db: Db, customerId: string, atMost: number): Promise<Reminder[]> {
  const { rows } = await sql<ReminderRow>`
    select * from reminders where customer_id = ${customerId}
    order by day desc, id desc limit ${atMost}`.execute(db)
  return rows.map(toReminder)
}

export async function listRemindersOf(db: Db, invoiceIds: readonly string[]): Promise<Reminder[]> {
  const { rows } = await sql<ReminderRow>`
    select * from reminders where invoice_id = any(${uuidList(invoiceIds)}) order by id desc`.execute(db)
  return rows.map(toReminder)
}

export async function findReminders(db: Db, ids: readonly string[]): Promise<Map<string, Reminder>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReminderRow>`select * from reminders where id = any(${uuidList(ids)})`.execute(db)
  return new Map(rows.map((row) => [row.id, toReminder(row)]))
}

/** Open ones of which a step has its day, those that nobody was reminded of today first; new ones are none of them. */
export async function listDueToday(
  db: Db,
  { sellerId, steps, due, limit }: { sellerId: string; steps: readonly ReminderStep[]; due: Date; limit: number },
): Promise<{ invoices: Invoice[]; results: number }> {
  const today = saoPauloDay(due)
  const days = daysToFind(today).filter(({ step }) => steps.includes(step))
  if (days.length === 0) return { invoices: [], results: 0 }
  const isDue = days.map(({ column, day }) => sql`${sql.ref(column)} = ${day}::date`)
  const { rows } = await sql<InvoiceRow & { results: number }>`
    select invoices.*, count(*) over () as results from invoices
    where seller_id = ${sellerId} and status = 'open' and last_day >= ${today}::date and (${sql.join(isDue, sql` or `)})
      and ${hasCode(due)}
    order by exists (
      select from reminders told
      where told.invoice_id = invoices.id and told.day = ${today}::date and told.status <> 'withheld'
    ), due_day, id limit ${limit}`.execute(db)
  return { invoices: rows.map(toInvoice), results: rows[0]?.results ?? 0 }
}
