import { type RawBuilder, sql } from "kysely"
import * as tables from "#db/exports"

/** One column of a file, and its key and value in JSON. */
interface OwnColumn extends tables.Column {
  key: string
  json: RawBuilder<unknown>
}

export interface Dataset extends tables.Table {
  /** The file's name without its ending. */
  file: string
  columns: readonly OwnColumn[]
}

type Named = [key: string, label: string, column: string]

export function textColumn(...[key, label, column]: Named): OwnColumn {
  return { ...tables.textColumn(label, column), key, json: sql.ref(column) }
}

/** A number, a boolean or an id. */
export function valueColumn(...[key, label, column]: Named): OwnColumn {
  return { ...tables.valueColumn(label, column), key, json: sql.ref(column) }
}

export function jsonColumn(...[key, label, column]: Named): OwnColumn {
  return { ...tables.valueColumn(label, sql`${sql.ref(column)}::text`), key, json: sql.ref(column) }
}

export function moneyColumn(...[key, label, column]: Named): OwnColumn {
  return { ...tables.moneyColumn(label, column), key, json: sql`${sql.ref(column)} / 100.0` }
}

export function momentColumn(...[key, label, column]: Named): OwnColumn {
  const json = sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return { ...tables.momentColumn(label, column), key, json }
}

export function jsonOf({ columns, source }: Dataset): RawBuilder<unknown> {
  const values = columns.map(({ key, json }) => sql`${key}::text, ${json}`)
  return sql`select jsonb_build_object(${sql.join(values)}) from ${source}`
}
