import { type RawBuilder, type SqlBool, sql } from "kysely"
import { type ChangedRow, jsonb, type NewRow, rowsOf, text, timestamptz, uuid, uuidList } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { type MailedCustomer, mailedCustomer, type OwnCustomer } from "./reads.ts"
import type { Customer } from "./rules.ts"

type Fixed = "id" | "seller_id" | "created_at"
/** Written by the job that erases, and by the customer. */
type Apart = "erasure_asked_at" | "erased_at" | "reminders_ended_at" | "mail_token"

function changeableColumns(customer: Customer) {
  return {
    name: customer.name,
    document: customer.document,
    email: customer.email,
    phone: customer.phone,
    address: JSON.stringify(customer.address),
    notes: customer.notes,
    external_reference: customer.externalReference,
    updated_at: customer.updatedAt,
    archived_at: customer.archivedAt,
    last_used_at: customer.updatedAt,
  } satisfies ChangedRow<"customers", Fixed | Apart>
}

/** Serialises whoever enters or changes customers of this seller, so that nobody is entered twice. */
export async function lockCustomersOf(tx: Tx, sellerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`customers:${sellerId}`}, 0))`.execute(tx)
}

const newCustomers = rowsOf<Customer, NewRow<"customers", Apart>>("given", {
  id: uuid(({ id }) => id),
  seller_id: uuid(({ sellerId }) => sellerId),
  name: text(({ name }) => name),
  document: text(({ document }) => document),
  email: text(({ email }) => email),
  phone: text(({ phone }) => phone),
  address: jsonb(({ address }) => JSON.stringify(address)),
  notes: text(({ notes }) => notes),
  external_reference: text(({ externalReference }) => externalReference),
  created_at: timestamptz(({ createdAt }) => createdAt),
  updated_at: timestamptz(({ updatedAt }) => updatedAt),
  archived_at: timestamptz(({ archivedAt }) => archivedAt),
  last_used_at: timestamptz(({ updatedAt }) => updatedAt),
})

export async function insertCustomers(tx: Tx, customers: readonly Customer[]): Promise<void> {
  await sql`insert into customers (${newCustomers.columns}) select * from ${newCustomers.of(customers)}`.execute(tx)
}

export async function updateCustomerRow(tx: Tx, customer: Customer): Promise<void> {
  await tx.updateTable("customers").set(changeableColumns(customer)).where("id", "=", customer.id).execute()
}

/** Locks the row, so that what is copied of it stays right. */
export async function markCustomerUsed(tx: Tx, { sellerId, id }: OwnCustomer, now: Date): Promise<void> {
  await tx
    .updateTable("customers")
    .set({ last_used_at: now })
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .execute()
}

const withoutData = sql`
  name = '', document = null, email = null, phone = null, address = '{}', notes = '', external_reference = null`

/** Null where the customer asked for it: then only what is still to be paid counts. */
function isFree(since: Date | null): RawBuilder<SqlBool> {
  const isYoung = since === null ? sql`false` : sql`updated_at >= ${since}`
  return sql<SqlBool>`not exists (
    select from invoices where customer_id = customer.id and (status in ('creating', 'open') or ${isYoung})
  ) and not exists (
    select from subscriptions where customer_id = customer.id and status in ('active', 'paused', 'past_due')
  ) and not exists (
    select from mandates join subscriptions on subscriptions.id = mandates.subscription_id
    where subscriptions.customer_id = customer.id and mandates.ended_at is null
  )`
}

/** Undefined for another seller's, and once their data were erased. */
export async function lockMailedCustomer(tx: Tx, { sellerId, id }: OwnCustomer): Promise<MailedCustomer | undefined> {
  const { rows } = await sql<MailedCustomer>`
    select ${mailedCustomer} from customers
    where id = ${id} and seller_id = ${sellerId} and erased_at is null for no key update`.execute(tx)
  return rows[0]
}

/** Undefined where nothing changed. */
export async function updateRemindersEnded(
  tx: Tx,
  token: string,
  endedAt: Date | null,
): Promise<OwnCustomer | undefined> {
  const { rows } = await sql<OwnCustomer>`
    update customers set reminders_ended_at = ${endedAt}
    where mail_token = ${token} and (reminders_ended_at is null) <> (${endedAt}::timestamptz is null)
    returning id, seller_id as "sellerId"`.execute(tx)
  return rows[0]
}

/** Those who asked for it, or this one, unless something of theirs is open or goes on; returns their ids. */
export async function eraseCustomersAsking(tx: Tx, now: Date, id?: string): Promise<string[]> {
  const whom = id === undefined ? sql`erasure_asked_at is not null` : sql`id = ${id}`
  const { rows: free } = await sql<{ id: string }>`
    select id from customers customer where ${whom} and erased_at is null and ${isFree(null)}
    order by id for update`.execute(tx)
  // The next statement sees what began while this one waited for the lock.
  const { rows } = await sql<{ id: string }>`
    update customers customer set ${withoutData}, erased_at = ${now}
    where id = any(${uuidList(free.map((row) => row.id))}) and erased_at is null and ${isFree(null)} returning id`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

/** False when it was noted before. */
export async function noteErasureRequest(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("customers")
    .set({ erasure_asked_at: now })
    .where("id", "=", id)
    .where("erasure_asked_at", "is", null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Those who were neither changed nor charged since, nor had an open invoice; returns how many. Locked ones are left for later. */
export async function eraseCustomersUnused(
  tx: Tx,
  { since, now, limit }: { since: Date; now: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with unused as materialized (
      select id from customers customer
      where last_used_at < ${since} and erased_at is null and ${isFree(since)}
      order by last_used_at limit ${limit} for update skip locked
    )
    update customers customer set ${withoutData}, erased_at = ${now}
    from unused where customer.id = unused.id returning customer.id`.execute(tx)
  return rows.length
}

/** The seller leaves, and all their customers with them. */
export async function eraseCustomersOf(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await sql`
    update customers set ${withoutData}, erased_at = ${now}
    where seller_id = ${sellerId} and erased_at is null`.execute(tx)
}
