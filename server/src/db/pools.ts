import { Socket } from "node:net"
import type { PostgresPool } from "kysely"
import type { Pool } from "pg"
import pg from "pg"
import type { Logger } from "#kit/log"
import { currentRequest } from "#kit/request-scope"
import { createSlots, type Deadlines } from "#kit/waiting-line"
import { nameMarkedStatements } from "./prepared.ts"
import { appRole } from "./roles.ts"
import { clientOn, type DatabaseRoute, openRoute } from "./route.ts"
import { createDb, type JobsDb, type LookupDb, type ReportsDb, type RequestDb } from "./transaction.ts"
import { watchSessions } from "./watch-sessions.ts"

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

interface PoolOptions {
  /** The route is given where several pools share one. */
  url: string | DatabaseRoute
  max: number
  applicationName: string
  log?: Logger
  silenceMs?: number
  /** Timeout of the wait for a free connection. */
  connectionMs?: number
  statementMs?: number
  /** Settings of the database session, as `name=value`. */
  settings?: readonly string[]
}

/**
 * The pool closes idle connections before they count as silent, and the server ends a slow statement first, if it can.
 */
const timeoutMs = { connection: 3_000, statement: 30_000, idleInTransaction: 15_000, lock: 10_000, idle: 30_000 }
const longestSilenceMs = 35_000

const dateOid = 1082
const bigintOid = 20
const bigintArrayOid = 1016

/** Connections use the serving role, which can neither change tables nor rewrite the ledger. */
export function createPool({ url, max, applicationName, log, silenceMs, ...options }: PoolOptions): pg.Pool {
  const route = typeof url === "string" ? openRoute(url) : url
  const settings = servingSettings(options)
  const pool = new pg.Pool({
    Client: clientOn(route, settings),
    max,
    application_name: applicationName,
    connectionTimeoutMillis: options.connectionMs ?? timeoutMs.connection,
    idleTimeoutMillis: timeoutMs.idle,
    keepAlive: true,
    stream: () => openSocket(silenceMs ?? longestSilenceMs),
    types: { getTypeParser },
  })
  watchSessions(pool, route, log)
  pool.on("connect", nameMarkedStatements)
  return pool
}

/**
 * The settings of a pool's session, as `name=value`. Without compilation: ours are short statements, and where
 * `enable_seqscan` is off PostgreSQL up to 17 takes each scan of a small table for the most expensive of all, so that it
 * compiled the numbering of events for two seconds, each time.
 */
function servingSettings(options: Pick<PoolOptions, "statementMs" | "settings">): readonly string[] {
  return [
    `role=${appRole}`,
    "jit=off",
    `statement_timeout=${options.statementMs ?? timeoutMs.statement}`,
    `idle_in_transaction_session_timeout=${timeoutMs.idleInTransaction}`,
    `lock_timeout=${timeoutMs.lock}`,
    ...(options.settings ?? []),
  ]
}

/** A database that is frozen or unreachable sends nothing at all, so the socket needs a timeout of its own. */
function openSocket(silenceMs: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(silenceMs, () => socket.destroy())
}

function getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (format !== "binary") {
    if (oid === bigintOid) return safeInteger
    if (oid === bigintArrayOid) return safeIntegers
    if (oid === dateOid) return (text) => text
  }
  return pg.types.getTypeParser(oid, format) as (value: string) => unknown
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit into a number`)
  return value
}

function safeIntegers(text: string): (number | null)[] {
  const items = text.slice(1, -1)
  return items === "" ? [] : items.split(",").map((item) => (item === "NULL" ? null : safeInteger(item)))
}

interface ConnectionQueue {
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
