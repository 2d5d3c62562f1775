import { type RawBuilder, type SqlBool, sql } from "kysely"
import { DomainError } from "#kit/domain-error"
import type { Db } from "./transaction.ts"

/** Part of a list, newest first by default: by offset or, with `after`, by keyset after that row. */
export interface ListRange {
  limit: number
  offset: number
  after?: string | undefined
  order?: ListOrder | undefined
}

export type ListOrder = "newest" | "oldest"

const momentColumns = {
  charges: "created_at",
  charge_pages: "created_at",
  withdrawals: "created_at",
  audit_records: "happened_at",
  unmatched_payments: "received_at",
  users: "created_at",
  notices: "told_at",
  page_reports: "created_at",
} as const
type Listed = keyof typeof momentColumns

/** Keyset condition: the rows after the given one. `alias` is the query's name for the table. */
export function comesAfter(table: Listed, alias: string, id: string, order: ListOrder = "newest"): RawBuilder<SqlBool> {
  const moment = momentColumns[table]
  const position = sql`((select ${sql.ref(moment)} from ${sql.table(table)} where id = ${id}), ${id}::uuid)`
  const beyond = order === "newest" ? sql`<` : sql`>`
  return sql<SqlBool>`(${sql.ref(`${alias}.${moment}`)}, ${sql.ref(`${alias}.id`)}) ${beyond} ${position}`
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
