import { Socket } from "node:net"
import pg from "pg"
import type { Logger } from "#kit/log"
import { appRole } from "./app-role.ts"
import { type DatabaseRoute, openRoute } from "./database-route.ts"
import { nameMarkedStatements } from "./prepared.ts"
import { clientOn } from "./routed-client.ts"
import { watchSessions } from "./watch-sessions.ts"

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
export function createPool({ url, max, applicationName, log, silenceMs, ...wishes }: PoolOptions): pg.Pool {
  const route = typeof url === "string" ? openRoute(url) : url
  const settings = servingSettings(wishes)
  const pool = new pg.Pool({
    Client: clientOn(route, settings),
    max,
    application_name: applicationName,
    connectionTimeoutMillis: wishes.connectionMs ?? timeoutMs.connection,
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
function servingSettings(wishes: Pick<PoolOptions, "statementMs" | "settings">): readonly string[] {
  return [
    `role=${appRole}`,
    "jit=off",
    `statement_timeout=${wishes.statementMs ?? timeoutMs.statement}`,
    `idle_in_transaction_session_timeout=${timeoutMs.idleInTransaction}`,
    `lock_timeout=${timeoutMs.lock}`,
    ...(wishes.settings ?? []),
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
