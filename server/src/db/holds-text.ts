import { type RawBuilder, type SqlBool, sql } from "kysely"

/** True where one of the columns holds the words, whatever their case and accents. */
export function holdsText(columns: string[], words: string): RawBuilder<SqlBool> {
  const matches = columns.map((column) => sql`fold_text(${sql.ref(column)}) like ${foldedPattern(words)}`)
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

/** What texts that hold the words literally are like; for a column that is folded already. */
export function foldedPattern(words: string): RawBuilder<string> {
  return sql<string>`fold_text(${`%${words.replace(/[\\%_]/g, "\\$&")}%`})`
}
