import type { ColumnType, JSONColumnType } from "kysely"

/** Written and read as `Date`; the database sets it when it is left out. */
export type Moment = ColumnType<Date, Date | undefined, Date>
export type Json = JSONColumnType<Record<string, string>>
