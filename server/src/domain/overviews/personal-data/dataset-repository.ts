import { type RawBuilder, sql } from "kysely"
import { momentCell, moneyCell, textCell } from "#db/csv-cells"

type Kind = "text" | "moment" | "money" | "plain" | "json"

/** One column of a file: its name in JSON, its heading in CSV, and where it comes from, as `table.column`. */
interface Column {
  key: string
  label: string
  from: string
  kind: Kind
}

export interface Dataset {
  /** The file's name without its ending. */
  file: string
  columns: readonly Column[]
  /** From `from` on, in the order of an index, so that rows leave as they are read. */
  rows: RawBuilder<unknown>
}

const columnOf = (kind: Kind) => (key: string, label: string, from: string) => ({ key, label, from, kind })

export const text = columnOf("text")
export const moment = columnOf("moment")
export const money = columnOf("money")
/** Numbers, yes and no, ids. */
export const plain = columnOf("plain")
export const json = columnOf("json")

const csvCells: Record<Kind, (column: string) => RawBuilder<unknown>> = {
  text: textCell,
  moment: momentCell,
  money: moneyCell,
  plain: (column) => sql.ref(column),
  json: (column) => sql`${sql.ref(column)}::text`,
}

const jsonValues: Record<Kind, (column: string) => RawBuilder<unknown>> = {
  text: (column) => sql.ref(column),
  moment: (column) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  money: (column) => sql`${sql.ref(column)} / 100.0`,
  plain: (column) => sql.ref(column),
  json: (column) => sql.ref(column),
}

export function csvOf({ columns, rows }: Dataset): RawBuilder<unknown> {
  const cells = columns.map(({ label, from, kind }) => sql`${csvCells[kind](from)} as ${sql.ref(label)}`)
  return sql`select ${sql.join(cells)} ${rows}`
}

export function jsonOf({ columns, rows }: Dataset): RawBuilder<unknown> {
  const values = columns.map(({ key, from, kind }) => sql`${key}::text, ${jsonValues[kind](from)}`)
  return sql`select jsonb_build_object(${sql.join(values)}) ${rows}`
}
