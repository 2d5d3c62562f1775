import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from "kysely"
import type { Schema } from "./schema.ts"

/** Reads. A write asks for a `Tx`, which only `db.transaction().execute(...)` gives. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

/**
 * For a verb that writes by one statement, which is a transaction by itself: BEGIN and COMMIT would be two more round
 * trips. What the verb reads or writes afterwards stands for itself, as when it is tried again.
 */
export function inOneStatement<Result>(db: Db, write: (tx: Tx) => Promise<Result>): Promise<Result> {
  return write(db as Tx)
}

export function createDb(pool: PostgresPool): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
