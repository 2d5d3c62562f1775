import { type RawBuilder, type SqlBool, sql } from "kysely"

/** True when one of the columns contains the words, ignoring case and accents. */
export function holdsText(columns: string[], words: string): RawBuilder<SqlBool> {
  const matches = columns.map((column) => sql`fold_text(${sql.ref(column)}) like ${foldedPattern(words)}`)
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

/** LIKE pattern for texts that contain the words literally; for a column that is already folded. */
export function foldedPattern(words: string): RawBuilder<string> {
  return sql<string>`fold_text(${`%${words.replace(/[\\%_]/g, "\\$&")}%`})`
}
