import type { Logger } from "#kit/log"
import { type ConnectionQueue, withDeadline } from "./connection-queue.ts"
import type { DatabaseRoute } from "./database-route.ts"
import { createPool } from "./pool.ts"
import { createDb, type JobsDb, type LookupDb, type ReportsDb, type RequestDb } from "./transaction.ts"

/** Separate pools by urgency, so that nobody queues behind a caller who can wait longer. */
export interface Pools {
  /** HTTP requests without a pool of their own. */
  db: RequestDb
  /** Reports and searches. */
  reportsDb: ReportsDb
  /** Periodic jobs. */
  jobsDb: JobsDb
  /** Hot paths that look up rows by their keys and scan nothing: creating and confirming Pix, withdrawals. */
  lookupDb: LookupDb
  /** The same for sellers' webhooks, so that no payment waits behind what is told of others. */
  deliveriesDb: LookupDb
  requestQueue: ConnectionQueue
  stop(): Promise<void>
}

const sizes = { requests: 16, reports: 4, jobs: 6, lookups: 12, deliveries: 4 }
/** Queue lengths beyond which further callers are refused. */
const mostWaiting = { requests: 1_000, reports: 20 }

/**
 * Cached plans made while a table is nearly empty stay in use as it grows, so a sequential scan must never seem cheap.
 * With these settings `lookup(key, otherKey)` can only be planned as a lookup by key, while `key = other.key` has other
 * plans too.
 */
export const lookupSettings = ["enable_seqscan=off", "enable_indexonlyscan=off", "plan_cache_mode=force_generic_plan"]

export function openPools({ route, log }: { route: DatabaseRoute; log: Logger }): Pools {
  const open = (pool: keyof typeof sizes, applicationName: string, settings: readonly string[] = []) =>
    createPool({ url: route, max: sizes[pool], applicationName, log, settings })
  const requests = open("requests", "tilinta")
  const reports = open("reports", "tilinta reports")
  const jobs = open("jobs", "tilinta jobs")
  const lookups = open("lookups", "tilinta lookups", lookupSettings)
  const deliveries = open("deliveries", "tilinta deliveries", lookupSettings)
  const queued = withDeadline(requests, { mostWaiting: mostWaiting.requests })
  return {
    db: createDb(queued.pool),
    reportsDb: createDb(withDeadline(reports, { mostWaiting: mostWaiting.reports }).pool),
    jobsDb: createDb(jobs),
    lookupDb: createDb(lookups),
    deliveriesDb: createDb(deliveries),
    requestQueue: queued.queue,
    stop: async () =>
      void (await Promise.all([requests, reports, jobs, lookups, deliveries].map((pool) => pool.end()))),
  }
}
