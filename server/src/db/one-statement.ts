import type { RawBuilder } from "kysely"
import type { PreparedStatement } from "./prepared.ts"
import type { Db } from "./transaction.ts"

const execute = Symbol("execute")

/**
 * A write of a single statement, made by a repository. PostgreSQL runs it as a transaction of its own, so a hot path
 * saves the round trips of BEGIN and COMMIT. It has no connection, so nothing else can run inside it.
 */
export interface OneStatement<Result> {
  readonly [execute]: (db: Db) => Promise<Result>
}

export function oneStatement<Row, Result>(
  statement: RawBuilder<Row> | PreparedStatement<Row>,
  resultOf: (rows: Row[]) => Result,
): OneStatement<Result> {
  return { [execute]: async (db) => resultOf((await statement.execute(db)).rows) }
}

export function executeOne<Result>(db: Db, statement: OneStatement<Result>): Promise<Result> {
  return statement[execute](db)
}
