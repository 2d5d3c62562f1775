import { Kysely, type Logger, PostgresDialect, type PostgresPool, type RawBuilder, sql, type Transaction } from "kysely"
import type { Pool } from "pg"
import type { PreparedStatement } from "./prepared.ts"
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

/** Keys of session-level advisory locks; the first number keeps them apart from other programs' keys. */
const tilinta = 1_953_066_089

export const migrationLock = [tilinta, 1] as const
export const dataDirLock = [tilinta, 2] as const
export const ledgerCheckLock = [tilinta, 3] as const
export const backupLock = [tilinta, 6] as const

/** A key of advisory-locks.ts. */
type LockKey = readonly [number, number]

/** Held as long as its connection lives, so that a killed process can't leave it behind. */
interface HeldLock {
  /** Ends the pool, too. */
  letGo(): Promise<void>
}

/** Null, and the pool ended, when another process holds the lock. The pool must have a connection for it. */
export async function takeLock(pool: Pool, key: LockKey): Promise<HeldLock | null> {
  try {
    const client = await pool.connect()
    const { rows } = await client.query("select pg_try_advisory_lock($1, $2) as taken", [...key])
    if (rows[0]?.taken === true) {
      return {
        async letGo() {
          // PostgreSQL notices the connection's end only later: until then the next one would be refused.
          const unlock = client.query("select pg_advisory_unlock($1, $2)", [...key])
          await unlock.catch(() => undefined)
          client.release(true)
          await pool.end()
        },
      }
    }
    client.release()
  } catch (error) {
    await pool.end()
    throw error
  }
  await pool.end()
  return null
}

/** On any node. */
export async function isLockHeld(db: Db, [key, part]: LockKey): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and classid = ${key} and objid = ${part} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as held`.execute(db)
  return rows[0]?.held ?? false
}

// [tilinta, 4] is used by the function fold_charge_changes, [tilinta, 5] by apply_payments and count_page_at_once.
