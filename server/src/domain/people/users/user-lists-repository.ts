import { digitsOf } from "@tilinta/contract/vocabulary/payer-data"
import type { Role } from "@tilinta/contract/vocabulary/roles"
import { type RawBuilder, type Selectable, sql } from "kysely"
import { foldedPattern } from "#db/holds-text"
import { comesAfter } from "#db/list-range"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { User } from "./user.ts"
import { userFromRow } from "./users-repository.ts"

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

const isTypedCpf = /^[\d\s.-]*[.-][\d\s.-]*$/

/** CPFs are stored as digits after the two other texts, but typed with punctuation. */
function holdsSearch(search: string): RawBuilder<unknown> {
  const found = sql`search_text like ${foldedPattern(search)}`
  const digits = isTypedCpf.test(search) ? digitsOf(search) : ""
  return digits === "" ? found : sql`(${found} or search_text like ${`%\u001f%\u001f%${digits}%`})`
}

function conditions({ role, active, search }: UserFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (role !== undefined) parts.push(sql`role = ${role}`)
  if (active !== undefined) parts.push(sql`active = ${active}`)
  if (search) parts.push(holdsSearch(search))
  return sql.join(parts, sql` and `)
}

export async function listUserRows(db: Db, filter: UserFilter, { limit, offset, after }: UserRange): Promise<User[]> {
  const start = after === undefined ? sql`true` : comesAfter("users", "users", after)
  const { rows } = await sql<Selectable<Schema["users"]>>`
    select * from users where ${conditions(filter)} and ${start}
    order by created_at desc, id desc limit ${limit} offset ${after === undefined ? offset : 0}`.execute(db)
  return rows.map(userFromRow)
}

export interface UserTotal {
  role: Role
  active: boolean
  count: number
}

export async function readUserTotals(db: Db): Promise<UserTotal[]> {
  return db.selectFrom("user_totals").selectAll().execute()
}

/** Scans rows, for searches only. */
export async function countFoundUsers(db: Db, filter: UserFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from users where ${conditions(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}
