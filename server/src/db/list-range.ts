import { type RawBuilder, type SqlBool, sql } from "kysely"
import { brokenRule } from "#kit/domain-error"
import type { Db } from "./transaction.ts"

/** Part of a list that is newest first unless it says otherwise: by its offset or, where `after` names a row, what follows that row. */
export interface ListRange {
  limit: number
  offset: number
  after?: string | undefined
  order?: ListOrder | undefined
}

export type ListOrder = "newest" | "oldest"

type Listed = "charges" | "charge_pages" | "withdrawals"

/** The rows that come after the one named; `alias` is how the query calls the table. */
export function comesAfter(table: Listed, alias: string, id: string, order: ListOrder = "newest"): RawBuilder<SqlBool> {
  const position = sql`((select created_at from ${sql.table(table)} where id = ${id}), ${id}::uuid)`
  const beyond = order === "newest" ? sql`<` : sql`>`
  return sql<SqlBool>`(${sql.ref(`${alias}.created_at`)}, ${sql.ref(`${alias}.id`)}) ${beyond} ${position}`
}

/** Else nothing would come after it, and that would look like the end of the list. */
export async function requireRowBefore(db: Db, table: Listed, { after }: ListRange): Promise<void> {
  if (after === undefined) return
  const row = await db.selectFrom(table).select("id").where("id", "=", after).executeTakeFirst()
  if (row === undefined) throw brokenRule("after", "A lista mudou. Carregue-a de novo.")
}
