import type { PostgresPool } from "kysely"
import type { Pool } from "pg"
import { DomainError } from "#kit/domain-error"

export interface ConnectionQueue {
  /** The number of callers waiting for a connection. */
  waiting(): number
  /** The wait of the caller that got the last connection, in ms; 0 while the queue is empty. */
  waitMs(): number
}

export function withMeasuredQueue(pool: Pool): { pool: PostgresPool; queue: ConnectionQueue } {
  let lastWaitMs = 0
  return {
    pool: {
      options: pool.options,
      connect: async () => {
        const begin = performance.now()
        try {
          return await pool.connect()
        } finally {
          lastWaitMs = performance.now() - begin
        }
      },
      end: () => pool.end(),
    },
    queue: { waiting: () => pool.waitingCount, waitMs: () => (pool.waitingCount === 0 ? 0 : lastWaitMs) },
  }
}

/** Refuses callers beyond this queue length at once. */
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
