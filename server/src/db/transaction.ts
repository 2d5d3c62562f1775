import { Kysely, PostgresDialect, type Transaction } from "kysely"
import type { Pool } from "pg"
import type { Schema } from "./schema.ts"

/** Reads. A write asks for a `Tx`, which only `db.transaction().execute(...)` gives. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

export function createDb(pool: Pool): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
