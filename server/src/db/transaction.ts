import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from "kysely"
import type { Schema } from "./schema.ts"

/** For reading. Writes take a `Tx`, which only `db.transaction().execute(...)` provides. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

/**
 * For a verb that writes in one statement, which is a transaction by itself: BEGIN and COMMIT would be two more round
 * trips. Other reads and writes of the verb are not part of it.
 */
export function inOneStatement<Result>(db: Db, write: (tx: Tx) => Promise<Result>): Promise<Result> {
  return write(db as Tx)
}

export function createDb(pool: PostgresPool): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
