import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely"
import { comesAfter, type ListRange } from "#db/list-range"
import { type PastRow, pastRows } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { Day } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { missingForAutomatic, readSetting } from "#platform/settings/reads"
import type { Psp } from "#psp/psp"
import type { Debit, Mandate } from "./rules.ts"

type MandateRow = Selectable<Schema["mandates"]> & { unique_link: string }
type DebitRow = Selectable<Schema["debits"]>

function toMandate(row: MandateRow): Mandate {
  return {
    id: row.id,
    sellerId: row.seller_id,
    subscriptionId: row.subscription_id,
    uniqueLink: row.unique_link,
    provider: row.provider,
    contract: row.contract,
    journey: row.journey,
    retryPolicy: row.retry_policy,
    amountCents: row.amount_cents,
    startsOn: row.starts_on,
    firstTxid: row.first_txid,
    recurrenceId: row.recurrence_id,
    pixCode: row.pix_code,
    status: row.status,
    endedCode: row.ended_code,
    cancelSince: row.cancel_since,
    restsFor: row.rests_for,
    expiresAt: row.expires_at,
    missedAt: row.missed_at,
    approvedAt: row.approved_at,
    endedAt: row.ended_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toDebit(row: DebitRow): Debit {
  return {
    id: row.id,
    sellerId: row.seller_id,
    mandateId: row.mandate_id,
    invoiceId: row.invoice_id,
    provider: row.provider,
    txid: row.txid,
    amountCents: row.amount_cents,
    dueDay: row.due_day,
    status: row.status,
    isSent: row.is_sent,
    attempts: row.attempts,
    endedCode: row.ended_code,
    cancelSince: row.cancel_since,
    retryDay: row.retry_day,
    retrySentAt: row.retry_sent_at,
    endedAt: row.ended_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function isAutomaticOn(db: Db, psp: Pick<Psp, "automatic">): Promise<boolean> {
  return (await readSetting(db, "AUTOMATIC_PIX")) && (await missingForAutomatic(db, psp.automatic !== null)) === null
}

/** Whether this seller may ask customers for authorisations today. */
export async function mayUseAutomatic(db: Db, psp: Pick<Psp, "automatic">, sellerId: string): Promise<boolean> {
  return (await isAutomaticOn(db, psp)) && (await isAutomaticSeller(db, sellerId))
}

export async function isAutomaticSeller(db: Db, sellerId: string): Promise<boolean> {
  const row = await db
    .selectFrom("automatic_sellers")
    .select("seller_id")
    .where("seller_id", "=", sellerId)
    .executeTakeFirst()
  return row !== undefined
}

/** The newest first. */
async function readMandates(db: Db, condition: RawBuilder<SqlBool>): Promise<Mandate[]> {
  const { rows } = await sql<MandateRow>`
    select mandate.*, subscription.unique_link
    from mandates mandate join subscriptions subscription on subscription.id = mandate.subscription_id
    where ${condition} order by mandate.created_at desc, mandate.id desc`.execute(db)
  return rows.map(toMandate)
}

export async function getMandate(db: Db, id: string): Promise<Mandate> {
  const [mandate] = isId(id) ? await readMandates(db, sql`mandate.id = ${id}`) : []
  if (mandate === undefined) throw new DomainError("mandate_not_found")
  return mandate
}

/** 404 when unknown or another seller's. */
export async function getOwnMandate(db: Db, { id, sellerId }: { id: string; sellerId: string }): Promise<Mandate> {
  const mandate = await getMandate(db, id)
  if (mandate.sellerId !== sellerId) throw new DomainError("mandate_not_found")
  return mandate
}

/** The charge that is paid with an authorisation: whether it can still be, and when it was. */
export async function findFirstCode(
  db: Db,
  txid: string,
  now: Date,
): Promise<{ isOpen: boolean; paidAt: Date | null; amountCents: Cents | null }> {
  const row = await db
    .selectFrom("charges")
    .select(["status", "expires_at as expiresAt", "paid_at as paidAt", "amount_cents as amountCents"])
    .where("txid", "=", txid)
    .executeTakeFirst()
  const isOpen = row?.status === "pending" && row.expiresAt > now
  return { isOpen, paidAt: row?.paidAt ?? null, amountCents: row?.amountCents ?? null }
}

/** The newest first. */
export async function listMandatesOf(db: Db, subscriptionId: string): Promise<Mandate[]> {
  return readMandates(db, sql`mandate.subscription_id = ${subscriptionId}`)
}

/** The one of each subscription that counts: that which is given, else the newest. */
export async function findCountingMandates(db: Db, subscriptionIds: readonly string[]): Promise<Mandate[]> {
  if (subscriptionIds.length === 0) return []
  const found = await readMandates(db, sql`mandate.subscription_id = any(${[...subscriptionIds]}::uuid[])`)
  const counting = new Map<string, Mandate>()
  for (const mandate of found) {
    const other = counting.get(mandate.subscriptionId)
    if (other === undefined || (mandate.status === "approved" && other.status !== "approved")) {
      counting.set(mandate.subscriptionId, mandate)
    }
  }
  return [...counting.values()]
}

/** The one of each subscription that its customer has not answered yet. */
export async function findPendingMandates(db: Db, subscriptionIds: readonly string[]): Promise<Map<string, Mandate>> {
  if (subscriptionIds.length === 0) return new Map()
  const found = await readMandates(
    db,
    sql`mandate.subscription_id = any(${[...subscriptionIds]}::uuid[]) and mandate.status in ('draft', 'waiting')`,
  )
  return new Map(found.map((mandate) => [mandate.subscriptionId, mandate]))
}

/** The last one of each mandate. */
export async function findLastDebits(db: Db, mandateIds: readonly string[]): Promise<Map<string, Debit>> {
  if (mandateIds.length === 0) return new Map()
  const { rows } = await sql<DebitRow>`
    select distinct on (mandate_id) * from debits where mandate_id = any(${[...mandateIds]}::uuid[])
    order by mandate_id, due_day desc`.execute(db)
  return new Map(rows.map((row) => [row.mandate_id, toDebit(row)]))
}

/** The day of the cycle that each of these subscriptions charged last, where its invoice is open no more. */
export async function findSettledDays(db: Db, subscriptionIds: readonly string[]): Promise<Map<string, Day>> {
  if (subscriptionIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; day: Day }>`
    select wanted.id, last.due_day::text as day
    from unnest(${[...subscriptionIds]}::uuid[]) wanted (id)
    cross join lateral (
      select due_day, invoice_id from subscription_cycles where subscription_id = wanted.id order by cycle_no desc limit 1
    ) last
    join invoices invoice on invoice.id = last.invoice_id and invoice.status <> 'open'`.execute(db)
  return new Map(rows.map(({ id, day }) => [id, day]))
}

/** Ids of the paid charges of these codes. */
export async function findPaidCharges(db: Db, txids: readonly string[]): Promise<Map<string, string>> {
  if (txids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; txid: string }>`
    select id, txid from charges where txid = any(${[...txids]}::text[]) and paid_at is not null`.execute(db)
  return new Map(rows.map(({ id, txid }) => [txid, id]))
}

export async function getDebit(db: Db, id: string): Promise<Debit> {
  const row = isId(id) ? await db.selectFrom("debits").selectAll().where("id", "=", id).executeTakeFirst() : undefined
  if (row === undefined) throw new DomainError("debit_not_found")
  return toDebit(row)
}

/** 404 when unknown or another seller's. */
export async function getOwnDebit(db: Db, { id, sellerId }: { id: string; sellerId: string }): Promise<Debit> {
  const debit = await getDebit(db, id)
  if (debit.sellerId !== sellerId) throw new DomainError("debit_not_found")
  return debit
}

export async function findDebitOfTxid(db: Db, txid: string): Promise<Debit | null> {
  const row = await db.selectFrom("debits").selectAll().where("txid", "=", txid).executeTakeFirst()
  return row === undefined ? null : toDebit(row)
}

export async function findDebitsOfInvoices(db: Db, invoiceIds: readonly string[]): Promise<Map<string, Debit>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("debits")
    .selectAll()
    .where("invoice_id", "in", [...invoiceIds])
    .execute()
  return new Map(rows.map((row) => [row.invoice_id, toDebit(row)]))
}

/** Conditions of every debit but those of its mandate. */
const isRunning = sql<SqlBool>`
  seller.active and subscription.method = 'automatic' and subscription.status in ('active', 'past_due')
  and page.suspended_at is null and page.deleted_at is null
  and exists (select from automatic_sellers allowed where allowed.seller_id = subscription.seller_id)`

const cycles = sql`
  invoices invoice
  join subscriptions subscription on subscription.id = invoice.subscription_id
  join users seller on seller.id = invoice.seller_id
  join charge_pages page on page.id = invoice.page_id`

export interface CycleToDebit {
  invoiceId: string
  pageId: string
  mandateId: string
  /** The authorised one, which no edit of the invoice moves. */
  dueDay: Day
}

/** Open invoices of running subscriptions, due in this range as their cycles are, for which no debit was ever made. */
export async function findCyclesToDebit(
  db: Db,
  { provider, from, to, atMost }: { provider: string; from: Day; to: Day; atMost: number },
): Promise<CycleToDebit[]> {
  const { rows } = await sql<CycleToDebit>`
    select invoice.id as "invoiceId", invoice.page_id as "pageId", mandate.id as "mandateId", cycle.due_day as "dueDay"
    from ${cycles}
    join subscription_cycles cycle on cycle.invoice_id = invoice.id and cycle.due_day = invoice.due_day
    join mandates mandate on mandate.subscription_id = subscription.id and mandate.status = 'approved'
      and mandate.cancel_since is null and mandate.rests_for is null and mandate.provider = ${provider}
      and mandate.amount_cents = invoice.amount_cents and mandate.starts_on <= invoice.due_day
    where invoice.status = 'open' and invoice.mode = 'daily' and invoice.due_day between ${from}::date and ${to}::date and ${isRunning}
      and not exists (select from debits where debits.invoice_id = invoice.id)
    order by invoice.due_day, invoice.id, mandate.created_at limit ${atMost}`.execute(db)
  return rows
}

/** Debits that may not be made any more: paid by link, changed, paused, stopped. All due from this day, where Pix Automático is off. */
export async function findDebitsToCancel(
  db: Db,
  { provider, isOn, from, atMost }: { provider: string; isOn: boolean; from: Day; atMost: number },
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select debit.id
    from debits debit
    join mandates mandate on mandate.id = debit.mandate_id
    join invoices invoice on invoice.id = debit.invoice_id
    join subscriptions subscription on subscription.id = invoice.subscription_id
    join users seller on seller.id = invoice.seller_id
    join charge_pages page on page.id = invoice.page_id
    where debit.provider = ${provider} and debit.ended_at is null and debit.cancel_since is null
      and (debit.due_day >= ${from}::date or debit.status = 'failed' and debit.retry_sent_at is null)
      and not (
        ${isOn} and ${isRunning} and invoice.status = 'open' and invoice.amount_cents = debit.amount_cents
        and invoice.due_day = debit.due_day and mandate.status = 'approved' and mandate.cancel_since is null
        and mandate.rests_for is null
      )
    order by debit.id limit ${atMost}`.execute(db)
  return rows
}

/** Those of another bank than the one that is asked (null: none is), whose last day is over. */
export async function findUnaskedDebits(
  db: Db,
  { provider, today, dueBefore, atMost }: { provider: string | null; today: Day; dueBefore: Day; atMost: number },
): Promise<{ id: string; isCalledOff: boolean }[]> {
  const { rows } = await sql<{ id: string; isCalledOff: boolean }>`
    select id, cancel_since is not null as "isCalledOff" from debits
    where ended_at is null and provider is distinct from ${provider}::text and due_day < ${dueBefore}::date
      and (retry_day is null or retry_day < ${today}::date)
    order by id limit ${atMost}`.execute(db)
  return rows
}

/** Live ones of another bank than the one that is asked (null: none is): those that are to end, and those that nobody asked about since. */
export async function findUnaskedMandates(
  db: Db,
  { provider, since, atMost }: { provider: string | null; since: Date; atMost: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from mandates
    where status in ('draft', 'waiting', 'approved') and provider is distinct from ${provider}::text
      and (cancel_since is not null or ask_at < ${since})
    order by id limit ${atMost}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findPastMandates(db: Db, past: readonly PastRow[]): Promise<Map<number, Mandate>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<MandateRow & { sequence: number }>`
    select past.sequence, was.*, (select unique_link from subscriptions where id = was.subscription_id) as unique_link
    from ${pastRows("mandates", past)}`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toMandate(row)]))
}

export async function findPastDebits(db: Db, past: readonly PastRow[]): Promise<Map<number, Debit>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<DebitRow & { sequence: number }>`
    select past.sequence, was.* from ${pastRows("debits", past)}`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toDebit(row)]))
}

export interface ListedMandate extends Mandate {
  sellerName: string
  title: string
}

/** All sellers', the newest first. */
export async function listMandates(
  db: Db,
  { status, sellerId }: { status?: Mandate["status"] | undefined; sellerId?: string | undefined },
  { after, limit, offset }: ListRange,
): Promise<{ mandates: ListedMandate[]; results: number }> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (status !== undefined) parts.push(sql`mandate.status = ${status}`)
  if (sellerId !== undefined) parts.push(isId(sellerId) ? sql`mandate.seller_id = ${sellerId}` : sql`false`)
  const condition = sql<SqlBool>`${sql.join(parts, sql` and `)}`
  const start = after === undefined ? sql`true` : comesAfter("mandates", "mandate", after)
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<MandateRow & { seller_name: string; title: string }>`
      select mandate.*, seller.name as seller_name, subscription.title, subscription.unique_link
      from mandates mandate join users seller on seller.id = mandate.seller_id
      join subscriptions subscription on subscription.id = mandate.subscription_id
      where ${condition} and ${start}
      order by mandate.created_at desc, mandate.id desc limit ${limit} offset ${offset}`.execute(db),
    sql<{ count: number }>`select count(*) as count from mandates mandate where ${condition}`.execute(db),
  ])
  return {
    mandates: rows.map((row) => ({ ...toMandate(row), sellerName: row.seller_name, title: row.title })),
    results: counted[0]?.count ?? 0,
  }
}

interface AutomaticFigures {
  sellers: { _id: string; name: string; reason: string; enabledAt: Date; live: number }[]
  /** By the bank's code, for debits of the last 90 days. */
  failures: { code: string; count: number }[]
  /** Sent more than a day ago, and not taken by the payer's bank. */
  unanswered: { _id: string; txid: string; sellerName: string; dueDay: Day; createdAt: Date }[]
}

export async function readAutomaticFigures(db: Db, since: Date, dayAgo: Date): Promise<AutomaticFigures> {
  const [sellers, failures, unanswered] = await Promise.all([
    sql<AutomaticFigures["sellers"][number]>`
      select allowed.seller_id as _id, seller.name, allowed.reason, allowed.enabled_at as "enabledAt", (
        select count(*) from mandates where seller_id = allowed.seller_id and status = 'approved'
      ) as live
      from automatic_sellers allowed join users seller on seller.id = allowed.seller_id
      order by seller.name, seller.id limit 500`.execute(db),
    sql<{ code: string; count: number }>`
      select coalesce(ended_code, attempts -> -1 ->> 'code', '') as code, count(*) as count
      from debits where status = 'failed' and created_at >= ${since} group by 1 order by 2 desc, 1 limit 50`.execute(
      db,
    ),
    sql<AutomaticFigures["unanswered"][number]>`
      select debit.id as _id, debit.txid, seller.name as "sellerName", debit.due_day as "dueDay",
        debit.created_at as "createdAt"
      from debits debit join users seller on seller.id = debit.seller_id
      where debit.ended_at is null and debit.status = 'created' and debit.created_at < ${dayAgo}
      order by debit.due_day, debit.id limit 100`.execute(db),
  ])
  return { sellers: sellers.rows, failures: failures.rows, unanswered: unanswered.rows }
}
