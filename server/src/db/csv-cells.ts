import { type RawBuilder, sql } from "kysely"

/** Characters that a spreadsheet takes for the start of a formula, full-width forms included. */
const formulaStarts = "=+-@\t\r\n＝＋－＠"

/** Text typed by strangers: a leading apostrophe keeps a formula plain text in a spreadsheet. */
export function textCell(column: string): RawBuilder<unknown> {
  const value = sql`nullif(${sql.ref(column)}, '')`
  return sql`case when strpos(${formulaStarts}, left(${value}, 1)) > 0 then '''' || ${value} else ${value} end`
}

/** With its punctuation, because a spreadsheet would take eleven digits for a number. */
export function cpfCell(column: string): RawBuilder<unknown> {
  return maskedCell(column, "^(\\d{3})(\\d{3})(\\d{3})(\\d{2})$", "\\1.\\2.\\3-\\4")
}

/** (11) 98765-4321 */
export function phoneCell(column: string): RawBuilder<unknown> {
  return maskedCell(column, "^(\\d{2})(\\d{4,5})(\\d{4})$", "(\\1) \\2-\\3")
}

/** Empty for text of another shape, so that no formula gets through. */
function maskedCell(column: string, shape: string, mask: string): RawBuilder<unknown> {
  return sql`case when ${sql.ref(column)} ~ ${shape} then regexp_replace(${sql.ref(column)}, ${shape}, ${mask}) end`
}

/** 1234,56: a number in any spreadsheet with a Portuguese locale. */
export function moneyCell(column: string): RawBuilder<unknown> {
  const cents = sql.ref(column)
  return sql`(${cents} / 100)::text || ',' || lpad((${cents} % 100)::text, 2, '0')`
}

export function momentCell(column: string): RawBuilder<unknown> {
  return sql`to_char(${sql.ref(column)} at time zone 'America/Sao_Paulo', 'DD/MM/YYYY HH24:MI')`
}

/** The label of a status or kind. */
export function labelCell<Word extends string>(
  word: RawBuilder<unknown>,
  labels: Record<Word, string>,
): RawBuilder<unknown> {
  const cases = Object.entries<string>(labels).map(([each, label]) => sql`when ${each} then ${label}`)
  return sql`case ${word} ${sql.join(cases, sql` `)} end`
}
