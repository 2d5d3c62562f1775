import { percentageFromBasisPoints } from "@tilinta/contract/vocabulary/money"
import { digitsOf } from "@tilinta/contract/vocabulary/payer-data"
import type { Role } from "@tilinta/contract/vocabulary/people"
import { parseDocument } from "@tilinta/contract/vocabulary/typed-data"
import { type RawBuilder, type Selectable, sql } from "kysely"
import { comesAfter, foldedPattern, requireRowBefore, type SearchFor } from "#db/list-range"
import { prepared } from "#db/prepared"
import { uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { emailKeyOf, type User } from "./rules.ts"

export interface UserList {
  users: User[]
  /** The number of users that the filter finds, whatever the page. */
  results: number
  /** Counts of all users, whatever the filter. */
  summary: { total: number; active: number; inactive: number; admins: number }
}

export async function listUsers(db: Db, filter: UserFilter, range: UserRange): Promise<UserList> {
  const [rows, totals, found] = await Promise.all([
    listUserRows(db, filter, range),
    readUserTotals(db),
    filter.search ? countFoundUsers(db, filter) : null,
  ])
  await requireRowBefore(db, "users", range, rows)
  return {
    users: rows,
    results: found ?? countOf(totals, (total) => isWanted(total, filter)),
    summary: {
      total: countOf(totals, () => true),
      active: countOf(totals, ({ active }) => active),
      inactive: countOf(totals, ({ active }) => !active),
      admins: countOf(totals, ({ role }) => role === "admin"),
    },
  }
}

function isWanted(total: UserTotal, { role, active }: UserFilter): boolean {
  return (role === undefined || total.role === role) && (active === undefined || total.active === active)
}

function countOf(totals: UserTotal[], isCounted: (total: UserTotal) => boolean): number {
  return totals.filter(isCounted).reduce((sum, { count }) => sum + count, 0)
}

export async function getUser(db: Db, id: string): Promise<User> {
  const user = await findUserById(db, id)
  if (user === undefined) throw new DomainError("not_found")
  return user
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  return (isId(id) ? await findUserById(db, id) : null) ?? null
}

/** Searches by name, e-mail, CPF or id. */
export async function searchUsers(db: Db, { words, atMost }: SearchFor): Promise<User[]> {
  if (!isId(words)) return listUserRows(db, { search: words }, { limit: atMost, offset: 0 })
  const user = await findUserById(db, words)
  return user === undefined ? [] : [user]
}

/** Includes inactive sellers. */
export async function countSellers(db: Db): Promise<number> {
  const totals = await readUserTotals(db)
  return totals.filter(({ role }) => role === "user").reduce((sum, { count }) => sum + count, 0)
}

/** Includes every role, inactive users too. */
export async function countUsers(db: Db): Promise<number> {
  const totals = await readUserTotals(db)
  return totals.reduce((sum, { count }) => sum + count, 0)
}

/** Those of the users whose accounts are switched off. */
export async function findInactiveUsers(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await findInactiveAmong(db, [...new Set(ids)]))
}

export interface UserFilter {
  role?: Role | undefined
  active?: boolean | undefined
  search?: string | undefined
}

export interface UserRange {
  limit: number
  offset: number
  /** Keyset cursor: the rows after this user; without it, from `offset` on. */
  after?: string | undefined
}

const isTypedCpf = /^[\d\s]*[.-][\d\s.-]*$/

/**
 * CPFs are stored as digits after the two other texts, but typed with punctuation. Sellers are also found by the names and
 * documents that their shop has or had.
 */
function holdsSearch(search: string): RawBuilder<unknown> {
  const digits = isTypedCpf.test(search) ? digitsOf(search) : ""
  const withCpf = digits === "" ? sql`` : sql`or search_text like ${`%\u001f%\u001f%${digits}%`}`
  return sql`(search_text like ${foldedPattern(search)} ${withCpf} or id = any(array(
    select seller_id from shop_names where search_text like ${foldedPattern(parseDocument(search) ?? search)}
  )))`
}

function conditions({ role, active, search }: UserFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (role !== undefined) parts.push(sql`role = ${role}`)
  if (active !== undefined) parts.push(sql`active = ${active}`)
  if (search) parts.push(holdsSearch(search))
  return sql.join(parts, sql` and `)
}

async function listUserRows(db: Db, filter: UserFilter, { limit, offset, after }: UserRange): Promise<User[]> {
  const start = after === undefined ? sql`true` : comesAfter("users", "users", after)
  const { rows } = await sql<Selectable<Schema["users"]>>`
    select * from users where ${conditions(filter)} and ${start}
    order by created_at desc, id desc limit ${limit} offset ${after === undefined ? offset : 0}`.execute(db)
  return rows.map(userFromRow)
}

interface UserTotal {
  role: Role
  active: boolean
  count: number
}

async function readUserTotals(db: Db): Promise<UserTotal[]> {
  return db.selectFrom("user_totals").selectAll().execute()
}

/** Scans rows, for searches only. */
async function countFoundUsers(db: Db, filter: UserFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from users where ${conditions(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

interface UserDifference {
  what: string
  expected: string
  found: string
}

export async function findUserDifferences(db: Db): Promise<UserDifference[]> {
  const { rows } = await sql<UserDifference>`
    select 'total de usuários ' || coalesce(kept.role, real.role)
        || case when coalesce(kept.active, real.active) then ' ativos' else ' inativos' end as what,
      coalesce(real.count, 0)::text as expected, coalesce(kept.count, 0)::text as found
    from user_totals kept
    full join (select role, active, count(*) as count from users group by role, active) real
      on real.role = kept.role and real.active = kept.active
    where coalesce(kept.count, 0) <> coalesce(real.count, 0)`.execute(db)
  return rows
}

export interface UserWithPassword extends User {
  /** Null until an invited user has set a password. */
  passwordHash: string | null
  /** The owner froze the account: the password opens nothing any more. */
  isPasswordVoid: boolean
}

export function userWithPasswordFromRow(row: Selectable<Schema["users"]>): UserWithPassword {
  return { ...userFromRow(row), passwordHash: row.password_hash, isPasswordVoid: row.password_is_void }
}

export async function findUserById(db: Db, id: string): Promise<User | undefined> {
  const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst()
  return row && userFromRow(row)
}

export interface Person {
  id: string
  name: string
  isActive: boolean
}

export async function findPeopleByIds(db: Db, ids: readonly string[]): Promise<Person[]> {
  const { rows } = await prepared<Person>("find-people")`
    select id, name, active as "isActive" from users where id = any(${uuidList(ids)})`.execute(db)
  return rows
}

/** Works in another's shop, also in one that is closed and may be opened again. */
export async function hasPlaceInTeam(db: Db, personId: string): Promise<boolean> {
  const query = db.selectFrom("shop_members").select("shop_id").where("user_id", "=", personId)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

export async function findActiveAdminIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "admin")
    .where("active", "=", true)
    .execute()
  return rows.map(({ id }) => id)
}

export async function findActiveAdminEmails(db: Db): Promise<string[]> {
  const admins = db.selectFrom("users").select("email").where("role", "=", "admin").where("active", "=", true)
  return (await admins.orderBy("email").execute()).map(({ email }) => email)
}

async function findInactiveAmong(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom("users").select("id").where("id", "in", ids).where("active", "=", false).execute()
  return rows.map(({ id }) => id)
}

export async function findUserByEmail(db: Db, email: string): Promise<UserWithPassword | undefined> {
  const row = await db.selectFrom("users").selectAll().where("email_key", "=", emailKeyOf(email)).executeTakeFirst()
  return row && userWithPasswordFromRow(row)
}

export async function findUserByMailToken(db: Db, mailToken: string): Promise<User | undefined> {
  const row = await db.selectFrom("users").selectAll().where("mail_token", "=", mailToken).executeTakeFirst()
  return row && userFromRow(row)
}

export async function findUserWithPassword(db: Db, id: string): Promise<UserWithPassword | undefined> {
  const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst()
  return row && userWithPasswordFromRow(row)
}

export async function findRecoveredRow(db: Db, id: string): Promise<Date | null> {
  const row = await db.selectFrom("users").select("recovered_at").where("id", "=", id).executeTakeFirst()
  return row?.recovered_at ?? null
}

export async function isErasedRow(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("erased_at").where("id", "=", id).executeTakeFirst()
  return row !== undefined && row.erased_at !== null
}

export async function existsAdmin(db: Db): Promise<boolean> {
  const row = await db.selectFrom("users").select("id").where("role", "=", "admin").limit(1).executeTakeFirst()
  return row !== undefined
}

export function userFromRow(row: Selectable<Schema["users"]>): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    cpf: row.cpf,
    phone: row.phone,
    address: row.address,
    bankAccount: row.bank_account,
    paymentMails: row.payment_mails,
    emailState: row.email_state,
    anyName: row.any_name,
    feePercentage: row.fee_basis_points === null ? null : percentageFromBasisPoints(row.fee_basis_points),
    role: row.role,
    active: row.active,
    adminRightsFrom: row.admin_rights_from,
    note: row.note,
    hasInitialPassword: row.password_is_initial,
    hasShop: row.has_shop,
    createdAt: row.created_at,
  }
}

export interface UserName {
  id: string
  name: string
  email: string
}

export async function readRenamings(db: Db): Promise<number> {
  const { rows } = await prepared<{ count: number }>("read-renamings")`
    select count from user_renamings`.execute(db)
  return rows[0]?.count ?? 0
}

/** Names and the rename count, from one snapshot. */
export async function findNames(db: Db, ids: readonly string[]): Promise<{ renamings: number; found: UserName[] }> {
  const { rows } = await prepared<UserName & { renamings: number }>("find-user-names")`
    select id, name, email, (select count from user_renamings) as renamings
    from users where id = any(${uuidList(ids)})`.execute(db)
  return { renamings: rows[0]?.renamings ?? 0, found: rows.map(({ id, name, email }) => ({ id, name, email })) }
}
