import { lastLateDueDay } from "@tilinta/contract/vocabulary/invoices"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { SubscriptionStatus } from "@tilinta/contract/vocabulary/subscriptions"
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely"
import { comesAfter, foldedPattern, type ListRange, requireRowBefore, type SearchFor } from "#db/list-range"
import { type PastRow, pastRows } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { type Day, startOfDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { holdsSearch } from "#selling/customers/reads"
import { sumOverdueOfSubscriptions } from "#selling/invoices/list-reads"
import { type InvoiceRow, toInvoice } from "#selling/invoices/reads"
import type { Invoice, InvoiceCustomer } from "#selling/invoices/rules"
import type { OpenInvoices, Subscription } from "./rules.ts"

type SubscriptionRow = Selectable<Schema["subscriptions"]> & { customer: Omit<InvoiceCustomer, "id"> }

const customerOf = sql`(
  select jsonb_build_object('name', name, 'document', document, 'email', email, 'phone', phone)
  from customers where id = subscription.customer_id
) as customer`

function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    sellerId: row.seller_id,
    customer: { id: row.customer_id, ...row.customer },
    planId: row.plan_id,
    uniqueLink: row.unique_link,
    method: row.method,
    title: row.title,
    period: row.period,
    terms: {
      amountCents: row.amount_cents,
      dueDay: row.first_due_day,
      daysAfterDue: row.days_after_due,
      ...row.terms,
    },
    endsOn: row.ends_on,
    cycles: row.cycles,
    leadDays: row.lead_days,
    issued: row.issued,
    position: row.position,
    nextDueDay: row.next_due_day,
    status: row.status,
    createdAt: row.created_at,
    pausedAt: row.paused_at,
    endedAt: row.ended_at,
    updatedAt: row.updated_at,
  }
}

async function readOne(db: Db, condition: RawBuilder<SqlBool>): Promise<Subscription | null> {
  const { rows } = await sql<SubscriptionRow>`
    select subscription.*, ${customerOf} from subscriptions subscription where ${condition}`.execute(db)
  return rows[0] === undefined ? null : toSubscription(rows[0])
}

export interface OwnSubscription {
  id: string
  sellerId: string
}

/** 404 when unknown or another seller's. */
export async function getOwnSubscription(db: Db, { id, sellerId }: OwnSubscription): Promise<Subscription> {
  const found = isId(id) ? await readOne(db, sql`id = ${id} and seller_id = ${sellerId}`) : null
  if (found === null) throw new DomainError("subscription_not_found")
  return found
}

export async function getSubscription(db: Db, id: string): Promise<Subscription> {
  const found = await readOne(db, sql`id = ${id}`)
  if (found === null) throw new DomainError("subscription_not_found")
  return found
}

export async function findSubscriptionOfLink(db: Db, link: string): Promise<Subscription | null> {
  return readOne(db, sql`unique_link = ${link}`)
}

/** There is one at most. */
export async function findLiveOfPlan(db: Db, planId: string, customerId: string): Promise<Subscription | null> {
  return readOne(
    db,
    sql`plan_id = ${planId} and customer_id = ${customerId} and status in ('active', 'paused', 'past_due')`,
  )
}

interface SubscriptionsFilter {
  sellerId: string
  status?: SubscriptionStatus | undefined
  customerId?: string | undefined
  planId?: string | undefined
  search?: string | undefined
}

function conditions({ sellerId, status, customerId, planId, search }: SubscriptionsFilter): RawBuilder<SqlBool> {
  const oneOf = (column: string, id: string) => (isId(id) ? sql`${sql.ref(column)} = ${id}` : sql`false`)
  const parts: RawBuilder<unknown>[] = [sql`subscription.seller_id = ${sellerId}`]
  if (status !== undefined) parts.push(sql`subscription.status = ${status}`)
  if (customerId !== undefined) parts.push(oneOf("subscription.customer_id", customerId))
  if (planId !== undefined) parts.push(oneOf("subscription.plan_id", planId))
  if (search) parts.push(isFoundBy(search))
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`
}

function isFoundBy(words: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(fold_text(subscription.title) like ${foldedPattern(words)} or exists (
    select from customers where id = subscription.customer_id and ${holdsSearch(words)}
  ))`
}

interface SubscriptionList {
  subscriptions: Subscription[]
  /** The number of subscriptions that the filter finds, whatever the page of the list. */
  results: number
}

export async function listSubscriptions(
  db: Db,
  filter: SubscriptionsFilter,
  { after, limit, offset }: ListRange,
): Promise<SubscriptionList> {
  const start = after === undefined ? sql`true` : comesAfter("subscriptions", "subscription", after)
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<SubscriptionRow>`
      select subscription.*, ${customerOf} from subscriptions subscription
      where ${conditions(filter)} and ${start}
      order by subscription.created_at desc, subscription.id desc limit ${limit} offset ${offset}`.execute(db),
    sql<{ count: number }>`
      select count(*) as count from subscriptions subscription where ${conditions(filter)}`.execute(db),
  ])
  await requireRowBefore(db, "subscriptions", { after }, rows)
  return { subscriptions: rows.map(toSubscription), results: counted[0]?.count ?? 0 }
}

/** The newest ones, for the search of everything. */
export async function searchSubscriptions(
  db: Db,
  { words, sellerId, atMost }: SearchFor & { sellerId: string },
): Promise<Subscription[]> {
  const { rows } = await sql<SubscriptionRow>`
    select subscription.*, ${customerOf} from subscriptions subscription
    where ${conditions({ sellerId, search: words })}
    order by subscription.created_at desc, subscription.id desc limit ${atMost}`.execute(db)
  return rows.map(toSubscription)
}

interface SubscriptionSums {
  /** The sum that live ones bring a month, rounded once. */
  monthlyCents: Cents
  active: number
  pastDue: number
  overdueCents: Cents
  cancelledThisMonth: number
  aliveAtStart: number
}

/** `monthStart` is the first day of today's month. */
export async function sumSubscriptions(
  db: Db,
  sellerId: string,
  { today, monthStart }: { today: Day; monthStart: Day },
): Promise<SubscriptionSums> {
  const start = startOfDay(monthStart)
  const [{ rows }, overdueCents] = await Promise.all([
    sql<Omit<SubscriptionSums, "overdueCents">>`
      select
        coalesce(round(sum(amount_cents * case period
          when 'weekly' then 52 when 'monthly' then 12 when 'quarterly' then 4 when 'half_yearly' then 2 else 1
        end) filter (where status in ('active', 'past_due')) / 12.0), 0)::bigint as "monthlyCents",
        count(*) filter (where status = 'active') as active,
        count(*) filter (where status = 'past_due') as "pastDue",
        count(*) filter (where status = 'cancelled' and ended_at >= ${start} and created_at < ${start})
          as "cancelledThisMonth",
        count(*) filter (where created_at < ${start} and (ended_at is null or ended_at >= ${start})) as "aliveAtStart"
      from subscriptions where seller_id = ${sellerId}`.execute(db),
    sumOverdueOfSubscriptions(db, sellerId, today),
  ])
  const [sums] = rows
  if (sums === undefined) throw new DomainError("not_found")
  return { ...sums, overdueCents }
}

export interface Cycle {
  number: number
  dueDay: Day
  invoice: Invoice
}

/** The last ones first. */
export async function listCycles(
  db: Db,
  subscriptionId: string,
  { before, limit }: { before: number; limit: number },
): Promise<Cycle[]> {
  const { rows } = await sql<InvoiceRow & { number: number; cycle_day: Day }>`
    select invoice.*, cycle.cycle_no as number, cycle.due_day as cycle_day
    from subscription_cycles cycle join invoices invoice on invoice.id = cycle.invoice_id
    where cycle.subscription_id = ${subscriptionId} and cycle.cycle_no < ${before}
    order by cycle.cycle_no desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ number: row.number, dueDay: row.cycle_day, invoice: toInvoice(row) }))
}

/** Locks nothing. */
export async function findOpenOfSubscription(db: Db, subscriptionId: string): Promise<Invoice[]> {
  const { rows } = await sql<InvoiceRow>`
    select invoice.* from subscription_cycles cycle
    join invoices invoice on invoice.id = cycle.invoice_id and invoice.status = 'open'
    where cycle.subscription_id = ${subscriptionId} order by cycle.cycle_no`.execute(db)
  return rows.map(toInvoice)
}

export function countOpen(invoices: readonly Invoice[], today: Day): OpenInvoices {
  const open = invoices.filter(({ lastDay }) => lastDay >= today)
  return { open: open.length, overdue: open.filter(({ adjustedDueDay }) => adjustedDueDay < today).length }
}

export interface ToIssue {
  id: string
  /** An inactive seller's: what is due meanwhile is left out, as by a pause. */
  isStopped: boolean
}

/** Subscriptions with a cycle to charge; of sellers who can't charge, those whose cycle has passed. In pieces, by id. */
export async function findToIssue(
  db: Db,
  { today, after, atMost }: { today: Day; after: string | null; atMost: number },
): Promise<ToIssue[]> {
  const { rows } = await sql<ToIssue>`
    select subscription.id, not seller.active as "isStopped"
    from subscriptions subscription join users seller on seller.id = subscription.seller_id
    where subscription.next_issue_day <= ${today}::date
      and (seller.active or subscription.next_due_day < ${today}::date)
      and ${after === null ? sql`true` : sql`subscription.id > ${after}::uuid`}
    order by subscription.id limit ${atMost}`.execute(db)
  return rows
}

/** Those whose status isn't what their invoices say. */
export async function findUnsettled(db: Db, today: Day, atMost: number): Promise<string[]> {
  const isLate = sql`invoice.status = 'open' and invoice.due_day <= ${lastLateDueDay(today)}::date
    and invoice.last_day >= ${today}::date`
  const ofOne = sql`invoices invoice where invoice.id in (
    select invoice_id from subscription_cycles where subscription_id = subscription.id
  )`
  const { rows } = await sql<{ id: string }>`
    select distinct subscription.id
    from invoices invoice join subscriptions subscription on subscription.id = invoice.subscription_id
    where invoice.subscription_id is not null and ${isLate} and subscription.status = 'active'
    union
    select id from subscriptions subscription
    where status = 'past_due' and not exists (select from ${ofOne} and ${isLate})
    union
    select id from subscriptions subscription
    where next_due_day is null and status in ('active', 'past_due') and not exists (
      select from ${ofOne} and invoice.status = 'open' and invoice.last_day >= ${today}::date
    )
    limit ${atMost}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findPastSubscriptions(db: Db, past: readonly PastRow[]): Promise<Map<number, Subscription>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<SubscriptionRow & { sequence: number }>`
    select past.sequence, subscription.*, ${customerOf}
    from ${pastRows("subscriptions", past)} cross join lateral (select was.*) subscription`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toSubscription(row)]))
}

interface CycleDifference {
  what: string
  expected: string
  found: string
}

/** Each charged cycle is counted, and is an invoice of the same seller and customer. */
export async function findSubscriptionDifferences(db: Db): Promise<CycleDifference[]> {
  const { rows } = await sql<CycleDifference>`
    select 'ciclos da assinatura ' || subscription.id as what, subscription.issued::text as expected,
      concat_ws(' / ', count(cycle.cycle_no), coalesce(max(cycle.cycle_no), 0)) as found
    from subscriptions subscription
    left join subscription_cycles cycle on cycle.subscription_id = subscription.id
    group by subscription.id
    having count(cycle.cycle_no) <> subscription.issued or coalesce(max(cycle.cycle_no), 0) <> subscription.issued
    union all
    select 'cobrança do ciclo ' || cycle.cycle_no || ' da assinatura ' || subscription.id,
      concat_ws(' / ', subscription.id, subscription.seller_id, subscription.customer_id),
      concat_ws(' / ', invoice.subscription_id, invoice.seller_id, invoice.customer_id)
    from subscription_cycles cycle
    join subscriptions subscription on subscription.id = cycle.subscription_id
    join invoices invoice on invoice.id = cycle.invoice_id
    where (invoice.subscription_id, invoice.seller_id, invoice.customer_id)
      is distinct from (subscription.id, subscription.seller_id, subscription.customer_id)`.execute(db)
  return rows
}
