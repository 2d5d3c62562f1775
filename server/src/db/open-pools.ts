import type { Logger } from "#kit/log"
import { type ConnectionQueue, withBoundedQueue, withMeasuredQueue } from "./connection-queue.ts"
import { createPool } from "./pool.ts"
import { createDb, type Db } from "./transaction.ts"

/** Connections by who waits for them: nobody waits behind those who can wait longer. */
export interface Pools {
  /** Of whoever asks by HTTP and has no other. */
  db: Db
  /** Of reports and searches. */
  reportsDb: Db
  /** Of what runs by itself. */
  jobsDb: Db
  /** Of what comes by the thousand, looks up rows by their keys and reads nothing whole: Pix made and paid, withdrawals. */
  lookupDb: Db
  requestQueue: ConnectionQueue
  stop(): Promise<void>
}

const sizes = { requests: 16, reports: 4, jobs: 6, lookups: 12 }
/** Those that one more report would wait behind. */
const mostWaitingReports = 20

/**
 * A plan that is made while a table is nearly empty is kept while it grows: reading it whole must never seem cheap.
 * With it `key = any (array[other.key])` can only be a look-up by key, where `key = other.key` has other plans too.
 */
export const lookupSettings = ["enable_seqscan=off", "enable_indexonlyscan=off", "plan_cache_mode=force_generic_plan"]

export function openPools({ url, log }: { url: string; log: Logger }): Pools {
  const requests = createPool({ url, max: sizes.requests, applicationName: "tilinta", log })
  const reports = createPool({ url, max: sizes.reports, applicationName: "tilinta reports", log })
  const jobs = createPool({ url, max: sizes.jobs, applicationName: "tilinta jobs", log })
  const lookups = createPool({
    ...{ url, max: sizes.lookups, applicationName: "tilinta lookups", log },
    settings: lookupSettings,
  })
  const { pool: measured, queue } = withMeasuredQueue(requests)
  return {
    db: createDb(measured),
    reportsDb: createDb(withBoundedQueue(reports, mostWaitingReports)),
    jobsDb: createDb(jobs),
    lookupDb: createDb(lookups),
    requestQueue: queue,
    stop: async () => void (await Promise.all([requests, reports, jobs, lookups].map((pool) => pool.end()))),
  }
}
