import { type RawBuilder, type SqlBool, sql } from "kysely"

/** True where one of the columns holds the words, whatever their case and accents. */
export function holdsText(columns: string[], words: string): RawBuilder<SqlBool> {
  const pattern = `%${words.replace(/[\\%_]/g, "\\$&")}%`
  const matches = columns.map((column) => sql`fold_text(${sql.ref(column)}) like fold_text(${pattern})`)
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}
