import { Kysely, type Logger, PostgresDialect, type PostgresPool, type Transaction } from "kysely"
import type { Schema } from "./schema.ts"

/** For reading. Writes take a `Tx`, which only `db.transaction().execute(...)` provides. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

/** A pool by the work that it serves, so that no other is given in its place. */
type PoolFor<Work extends string> = Db & { readonly __serves: { readonly [Each in Work]: true } }
export type RequestDb = PoolFor<"requests">
export type ReportsDb = PoolFor<"reports">
export type JobsDb = PoolFor<"jobs">
export type LookupDb = PoolFor<"lookups">
/** The only pool of a process: the demo's, a bench's or a test's. */
export type SoleDb = PoolFor<"requests" | "reports" | "jobs" | "lookups">

export function createDb(pool: PostgresPool, log?: Logger): SoleDb {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), ...(log && { log }) }) as SoleDb
}
