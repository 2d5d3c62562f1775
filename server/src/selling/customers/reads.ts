import { type CustomerStatus, customerLabels } from "@tilinta/contract/vocabulary/customers"
import { addressLabels } from "@tilinta/contract/vocabulary/people"
import { parseDocument, parsePhone } from "@tilinta/contract/vocabulary/typed-data"
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely"
import { validate as isUuid } from "uuid"
import { documentColumn, phoneColumn, type Table, textColumn } from "#db/exports"
import { comesAfter, foldedPattern, type ListRange, requireRowBefore } from "#db/list-range"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { type Customer, createCustomerFinder, type Identity } from "./rules.ts"

type CustomerRow = Selectable<Schema["customers"]>

function toCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    sellerId: row.seller_id,
    name: row.name,
    document: row.document,
    email: row.email,
    phone: row.phone,
    address: row.address,
    notes: row.notes,
    externalReference: row.external_reference,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
  }
}

export interface OwnCustomer {
  sellerId: string
  id: string
}

/** Also an archived one; null for another seller's, and once their data were erased. */
export async function findCustomer(db: Db, { sellerId, id }: OwnCustomer): Promise<Customer | null> {
  if (!isId(id)) return null
  const row = await db
    .selectFrom("customers")
    .selectAll()
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .where("erased_at", "is", null)
    .executeTakeFirst()
  return row === undefined ? null : toCustomer(row)
}

interface HeldCustomer {
  name: string
  document: string | null
  email: string | null
  phone: string | null
  requestedAt: Date | null
  erasedAt: Date | null
}

/** For the customer's own eyes. */
export async function readOwnData(db: Db, id: string): Promise<HeldCustomer> {
  return db
    .selectFrom("customers")
    .select(["name", "document", "email", "phone", "erasure_asked_at as requestedAt", "erased_at as erasedAt"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
}

/** A customer as mails to them need it. */
export interface MailedCustomer extends OwnCustomer {
  name: string
  email: string | null
  phone: string | null
  remindersEndedAt: Date | null
  /** Ends the reminders, in the links of their mails. */
  mailToken: string
}

export const mailedCustomer = sql`
  id, seller_id as "sellerId", name, email, phone, reminders_ended_at as "remindersEndedAt", mail_token as "mailToken"`

export async function findMailedCustomers(db: Db, ids: readonly string[]): Promise<Map<string, MailedCustomer>> {
  const { rows } = await sql<MailedCustomer>`
    select ${mailedCustomer} from customers where id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The one whose mails hold this token. */
export async function findCustomerOfMails(db: Db, mailToken: string): Promise<MailedCustomer | null> {
  if (!isUuid(mailToken)) return null
  const { rows } = await sql<MailedCustomer>`
    select ${mailedCustomer} from customers where mail_token = ${mailToken}`.execute(db)
  return rows[0] ?? null
}

/** @throws customer_not_found */
export async function readCustomer(db: Db, own: OwnCustomer): Promise<Customer> {
  const customer = await findCustomer(db, own)
  if (customer === null) throw new DomainError("customer_not_found")
  return customer
}

export interface CustomerFilter {
  sellerId: string
  status: CustomerStatus
  search?: string | undefined
  externalReference?: string | undefined
}

interface CustomerList {
  customers: Customer[]
  /** The number of customers that the filter finds, whatever the page of the list. */
  results: number
}

/** In the order of their names. */
export async function listCustomers(db: Db, filter: CustomerFilter, range: ListRange): Promise<CustomerList> {
  const [customers, results] = await Promise.all([listRows(db, filter, range), countFound(db, filter)])
  await requireRowBefore(db, "customers", range, customers)
  return { customers, results }
}

async function listRows(db: Db, filter: CustomerFilter, { after, limit, offset }: ListRange): Promise<Customer[]> {
  const start = after === undefined ? sql`true` : comesAfter("customers", "customers", after, "oldest")
  const { rows } = await sql<CustomerRow>`
    select * from customers where ${matches(filter)} and ${start}
    order by name_key, id limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toCustomer)
}

async function countFound(db: Db, filter: CustomerFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from customers where ${matches(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

function matches({ sellerId, status, search, externalReference }: CustomerFilter): RawBuilder<SqlBool> {
  const isListed = status === "active" ? sql`archived_at is null` : sql`archived_at is not null`
  const parts = [sql`seller_id = ${sellerId}`, isListed, sql`erased_at is null`]
  if (search) parts.push(holdsSearch(search))
  if (externalReference !== undefined) parts.push(sql`external_reference = ${externalReference}`)
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`
}

/** Each column has a heading that an import knows. */
export function customersTable(filter: CustomerFilter): Table {
  const address = Object.entries(addressLabels).map(([part, label]) => textColumn(label, sql`address ->> ${part}`))
  return {
    columns: [
      textColumn(customerLabels.name, "name"),
      documentColumn(customerLabels.document, "document"),
      textColumn(customerLabels.email, "email"),
      phoneColumn(customerLabels.phone, "phone"),
      textColumn(customerLabels.externalReference, "external_reference"),
      textColumn(customerLabels.notes, "notes"),
      ...address,
    ],
    source: sql`customers where ${matches(filter)} order by name_key, id`,
  }
}

/** Active ones, for the search of everything. */
export async function searchCustomers(
  db: Db,
  { sellerId, words, atMost }: { sellerId: string; words: string; atMost: number },
): Promise<Customer[]> {
  return listRows(db, { sellerId, status: "active", search: words }, { limit: atMost, offset: 0 })
}

/** Searches customers, and invoices, which repeat them. Documents and phones are stored bare, but typed with punctuation. */
export function holdsSearch(search: string): RawBuilder<SqlBool> {
  const bare = parseDocument(search) ?? parsePhone(search) ?? search
  return sql<SqlBool>`search_text like ${foldedPattern(bare)}`
}

/** The active customer with this document, else with this e-mail, else with this reference. */
export async function findSameCustomer(db: Db, sellerId: string, sought: Identity): Promise<Customer | null> {
  const alike = await findCustomersAlike(db, sellerId, { identities: [sought], names: [] })
  return createCustomerFinder(alike).find(sought) ?? null
}

/** Active customers with any of these documents, e-mails, references or names, the oldest first. */
export async function findCustomersAlike(
  db: Db,
  sellerId: string,
  { identities, names }: { identities: readonly Identity[]; names: readonly string[] },
): Promise<Customer[]> {
  const { rows } = await sql<CustomerRow>`
    select * from customers
    where seller_id = ${sellerId} and archived_at is null and erased_at is null and (
      document = any(${identities.map(({ document }) => document)}::text[])
      or lower(email) = any(${identities.map(({ email }) => email?.toLowerCase() ?? null)}::text[])
      or external_reference = any(${identities.map(({ externalReference }) => externalReference)}::text[])
      or name_key = any(array(select fold_text(name) from unnest(${names}::text[]) as name))
    )
    order by id`.execute(db)
  return rows.map(toCustomer)
}

/** Which of its unique values another active customer of the seller has. */
export async function findTakenFields(
  db: Db,
  { sellerId, id, document, externalReference }: Customer,
): Promise<{ document: boolean; externalReference: boolean }> {
  const { rows } = await sql<{ document: boolean; externalReference: boolean }>`
    select coalesce(bool_or(document = ${document}), false) as document,
      coalesce(bool_or(external_reference = ${externalReference}), false) as "externalReference"
    from customers
    where seller_id = ${sellerId} and archived_at is null and id <> ${id}
      and (document = ${document} or external_reference = ${externalReference})`.execute(db)
  return rows[0] ?? { document: false, externalReference: false }
}
