import type { Insertable, Updateable } from "kysely"
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
