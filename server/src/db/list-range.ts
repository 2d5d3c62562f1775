import { type RawBuilder, type SqlBool, sql } from "kysely"
import { DomainError } from "#kit/errors"
import type { Db } from "./transaction.ts"

/** Part of a list, newest first by default: by offset or, with `after`, by keyset after that row. */
export interface ListRange {
  limit: number
  offset: number
  after?: string | undefined
  order?: ListOrder | undefined
}

export type ListOrder = "newest" | "oldest"

/** The order of each list, before the id. */
const orderColumns = {
  charges: "created_at",
  charge_pages: "created_at",
  withdrawals: "created_at",
  audit_records: "happened_at",
  unmatched_payments: "received_at",
  users: "created_at",
  notices: "told_at",
  page_reports: "created_at",
  customers: "name_key",
  invoices: "due_day",
  subscriptions: "created_at",
  plans: "created_at",
  mandates: "created_at",
} as const
type Listed = keyof typeof orderColumns

/** Keyset condition: the rows after the given one. `alias` is the query's name for the table. */
export function comesAfter(table: Listed, alias: string, id: string, order: ListOrder = "newest"): RawBuilder<SqlBool> {
  const column = orderColumns[table]
  const position = sql`((select ${sql.ref(column)} from ${sql.table(table)} where id = ${id}), ${id}::uuid)`
  const beyond = order === "newest" ? sql`<` : sql`>`
  return sql<SqlBool>`(${sql.ref(`${alias}.${column}`)}, ${sql.ref(`${alias}.id`)}) ${beyond} ${position}`
}

/** Refuses an unknown cursor row, after which nothing would come, as at the end of the list. */
export async function requireRowBefore(
  db: Db,
  table: Listed,
  { after }: Pick<ListRange, "after">,
  found: readonly unknown[],
): Promise<void> {
  if (after === undefined || found.length > 0) return
  const row = await db.selectFrom(table).select("id").where("id", "=", after).executeTakeFirst()
  if (row !== undefined) return
  const message = "A lista mudou. Carregue-a de novo."
  throw new DomainError("malformed_request", { message, errors: [{ path: "after", message }] })
}

/** A few rows that contain the words, without a count. */
export interface SearchFor {
  words: string
  atMost: number
  /** Any seller's when absent. */
  sellerId?: string | undefined
}

/** São Paulo calendar days, both inclusive, `YYYY-MM-DD`. */
export interface Days {
  dayFrom?: string | undefined
  dayTo?: string | undefined
}

/** For timestamp columns; written so that an index on the column is used. */
export function momentWithin(column: string, { dayFrom, dayTo }: Days): RawBuilder<SqlBool>[] {
  const moment = sql.ref(column)
  const parts: RawBuilder<SqlBool>[] = []
  if (dayFrom !== undefined)
    parts.push(sql`${moment} >= (${dayFrom}::date::timestamp at time zone 'America/Sao_Paulo')`)
  if (dayTo !== undefined)
    parts.push(sql`${moment} < ((${dayTo}::date + 1)::timestamp at time zone 'America/Sao_Paulo')`)
  return parts
}

/** For date columns. */
export function dayWithin(column: string, { dayFrom, dayTo }: Days): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} between ${dayFrom ?? "-infinity"}::date and ${dayTo ?? "infinity"}::date`
}

/** True when one of the columns contains the words, ignoring case and accents. */
export function holdsText(columns: string[], words: string): RawBuilder<SqlBool> {
  const matches = columns.map((column) => sql`fold_text(${sql.ref(column)}) like ${foldedPattern(words)}`)
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

/** LIKE pattern for texts that contain the words literally; for a column that is already folded. */
export function foldedPattern(words: string): RawBuilder<string> {
  return sql<string>`fold_text(${`%${words.replace(/[\\%_]/g, "\\$&")}%`})`
}
