import type { PostgresPool } from "kysely"
import type { Pool } from "pg"
import { currentRequest } from "#kit/request-scope"
import { createSlots } from "#kit/slots"
import type { Deadlines } from "#kit/waiting-line"

export interface ConnectionQueue {
  /** How long the queue for a connection has not been empty, in ms. */
  standsMs(): number
}

/**
 * The pool's own queue would let everybody wait for as long as the slowest; in this one callers have a deadline. A request
 * that has had a connection waits in the pool's own: part of its work may be done, and 'overloaded' says that nothing is.
 */
export function withDeadline(
  pool: Pool,
  limits: { mostWaiting: number; deadlines?: Deadlines },
): { pool: PostgresPool; queue: ConnectionQueue } {
  const slots = createSlots({ atOnce: pool.options.max, ...limits })
  const begun = new WeakSet<object>()
  pool.on("release", slots.leave)
  return {
    pool: {
      options: pool.options,
      connect: async () => {
        const request = currentRequest()
        if (request !== undefined && begun.has(request)) slots.enterAtOnce()
        else await slots.enter()
        if (request !== undefined) begun.add(request)
        try {
          return await pool.connect()
        } catch (error) {
          slots.leave()
          throw error
        }
      },
      end: () => pool.end(),
    },
    queue: slots,
  }
}
