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
  /** Of what runs by itself, such as the booking of payments. */
  jobsDb: Db
  requestQueue: ConnectionQueue
  stop(): Promise<void>
}

const sizes = { requests: 20, reports: 4, jobs: 6 }
/** Those that one more report would wait behind. */
const mostWaitingReports = 20

export function openPools({ url, log }: { url: string; log: Logger }): Pools {
  const requests = createPool({ url, max: sizes.requests, applicationName: "tilinta", log })
  const reports = createPool({ url, max: sizes.reports, applicationName: "tilinta reports", log })
  const jobs = createPool({ url, max: sizes.jobs, applicationName: "tilinta jobs", log })
  const { pool: measured, queue } = withMeasuredQueue(requests)
  return {
    db: createDb(measured),
    reportsDb: createDb(withBoundedQueue(reports, mostWaitingReports)),
    jobsDb: createDb(jobs),
    requestQueue: queue,
    stop: async () => void (await Promise.all([requests, reports, jobs].map((pool) => pool.end()))),
  }
}
