import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from "kysely"
import type { Pool } from "pg"
import { DomainError } from "#kit/domain-error"
import type { Schema } from "./schema.ts"

/** Reads. A write asks for a `Tx`, which only `db.transaction().execute(...)` gives. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

export function createDb(pool: PostgresPool): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

/** Who would be behind so many that wait for a connection is refused at once. */
export function withBoundedQueue(pool: Pool, mostWaiting: number): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      if (pool.waitingCount >= mostWaiting) throw new DomainError("overloaded", { retryAfterSeconds: 2 })
      return pool.connect()
    },
    end: () => pool.end(),
  }
}
