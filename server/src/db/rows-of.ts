import { type Insertable, type RawBuilder, sql, type Updateable } from "kysely"
import { SqlPart } from "./prepared.ts"
import type { Schema } from "./schema.ts"

type Table = keyof Schema
type Whole<Row, LeftOut extends PropertyKey> = {
  [Name in Exclude<keyof Row, LeftOut>]-?: Exclude<Row[Name], undefined>
}

/**
 * Every column that an insert may give, except those named, which the database fills. A column added to the table
 * doesn't compile until each insert gives it or leaves it out by name.
 */
export type NewRow<Name extends Table, LeftOut extends keyof Insertable<Schema[Name]> = never> = Whole<
  Insertable<Schema[Name]>,
  LeftOut
>

/** Every column that an update may set, except those named, which stay as they are. */
export type ChangedRow<Name extends Table, LeftOut extends keyof Updateable<Schema[Name]> = never> = Whole<
  Updateable<Schema[Name]>,
  LeftOut
>

type Scalar = string | number | boolean | Date | null

/** The way to read one column from an item, and the type in which its values are sent. */
interface Column<Item, Value> {
  readonly type: string
  readonly read: (item: Item) => Value
  readonly write: (item: Item) => Scalar
}

function columnOf<Base extends Scalar>(type: string) {
  return <Item, Value extends Base | null>(read: (item: Item) => Value): Column<Item, Value> => ({
    type,
    read,
    write: read,
  })
}

export const uuid = columnOf<string>("uuid")
export const text = columnOf<string>("text")
/** JSON, sent as text. */
export const jsonb = columnOf<string>("jsonb")
export const date = columnOf<string>("date")
export const bigint = columnOf<number>("bigint")
export const integer = columnOf<number>("integer")
export const boolean = columnOf<boolean>("boolean")
export const timestamptz = columnOf<Date>("timestamptz")

export function bytea<Item, Value extends Buffer | null>(read: (item: Item) => Value): Column<Item, Value> {
  return { type: "bytea", read, write: (item) => hexOf(read(item)) }
}

function hexOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : `\\x${bytes.toString("hex")}`
}

interface RowsOf<Item> {
  /** `id, seller_id, …` */
  readonly columns: SqlPart
  /** `unnest(…) as alias (id, seller_id, …)`: a parameter for each column, however many rows there are. */
  of(items: readonly Item[]): SqlPart
}

/**
 * Many rows for one statement. `Row` says what they hold, mostly as `NewRow` or `ChangedRow` of a table, so that a column
 * that is missing or of another type doesn't compile.
 */
export function rowsOf<Item, Row extends object>(
  alias: string,
  columns: { readonly [Name in keyof Row]-?: Column<Item, Row[Name]> },
): RowsOf<Item> {
  const names = Object.keys(columns).join(", ")
  const all = Object.values<Column<Item, unknown>>(columns)
  const texts = [
    "unnest(",
    ...all.map(({ type }, at) => (at < all.length - 1 ? `::${type}[], ` : `::${type}[]) as ${alias} (${names})`)),
  ]
  return {
    columns: new SqlPart([names]),
    of: (items) =>
      new SqlPart(
        texts,
        all.map(({ write }) => items.map(write)),
      ),
  }
}

function listOf<Value extends Scalar>(type: string) {
  const texts = ["", `::${type}[]`]
  return (values: readonly Value[]) => new SqlPart(texts, [values])
}

/** For `any(…)`, and for columns that hold arrays. */
export const uuidList = listOf<string>("uuid")
export const textList = listOf<string | null>("text")
export const bigintList = listOf<number>("bigint")
export const integerList = listOf<number>("integer")
export const timestamptzList = listOf<Date>("timestamptz")

/** A row as it was at an event. */
export interface PastRow {
  /** The event's. */
  sequence: number
  id: string
  /** Columns that were different, or may have been. */
  state: object | null
}

/**
 * For `from`: the rows as `was`, each with its `past.sequence`. PostgreSQL puts the state over the row, so that whatever is
 * no part of it, such as a payer's data, is what the row says today. The ids are named apart, because PostgreSQL doesn't know
 * how few a list in JSON holds, and would read a young table whole.
 */
export function pastRows(
  table: "charges" | "charge_pages" | "withdrawals" | "invoices" | "subscriptions" | "mandates" | "debits",
  past: readonly PastRow[],
): RawBuilder<unknown> {
  return sql`
    jsonb_to_recordset(${JSON.stringify(past)}::jsonb) as past (sequence bigint, id uuid, state jsonb)
    join ${sql.table(table)} as subject on subject.id = past.id and subject.id = any(${past.map(({ id }) => id)}::uuid[])
    cross join lateral jsonb_populate_record(subject, past.state) was`
}
