import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from "kysely"
import type { Schema } from "./schema.ts"

/** For reading. Writes take a `Tx`, which only `db.transaction().execute(...)` provides. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

export function createDb(pool: PostgresPool): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
