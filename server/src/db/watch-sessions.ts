import { sql } from "kysely"
import type pg from "pg"
import type { Logger } from "#kit/log"
import { endsSession, isReadOnly } from "./database-down.ts"
import type { DatabaseRoute } from "./route.ts"
import { type Db, executeOne, oneStatement } from "./transaction.ts"

/**
 * Closes what was open when the route was renewed: idle connections at once, the others when they come back. A
 * statement that is refused as read-only renews the route, because the server was demoted for all connections. A
 * connection that PostgreSQL is about to close is closed when it comes back: the next caller's statement would die with it.
 */
export function watchSessions(pool: pg.Pool, route: DatabaseRoute, log: Logger | undefined): void {
  const open = new Set<pg.PoolClient>()
  const busy = new Set<pg.PoolClient>()
  const outdated = new WeakSet<pg.PoolClient>()

  const stopListening = route.onRenew(() => {
    if (pool.ended) return stopListening()
    for (const client of open) {
      outdated.add(client)
      // An idle client that reports an error is removed by the pool, and closed.
      if (!busy.has(client)) client.emit("error", new SessionOutdated("the connection is not used again"))
    }
  })

  pool.on("connect", (client) => {
    open.add(client)
    watchStatements(client, (error) => {
      if (endsSession(error)) outdated.add(client)
      if (!isReadOnly(error) || outdated.has(client)) return
      log?.warn("a connection has become read-only: all are opened anew")
      route.renew()
    })
  })
  pool.on("acquire", (client) => busy.add(client))
  pool.on("release", (_error, client) => {
    busy.delete(client)
    // A client that is closing is not put back.
    if (outdated.has(client)) void (client as unknown as pg.Client).end().catch(() => undefined)
  })
  pool.on("remove", (client) => {
    open.delete(client)
    busy.delete(client)
  })
  pool.on("error", (error) => {
    if (!(error instanceof SessionOutdated)) log?.warn({ err: error }, "a database connection was lost")
  })
}

class SessionOutdated extends Error {}

type Query = (...args: unknown[]) => unknown
type Callback = (error: unknown, result?: unknown) => void

/** The routine of PostgreSQL that waits for the standby; its messages are translated, its name is not. */
const waitForStandby = "SyncRepWaitForLSN"

/**
 * A commit whose wait for a synchronous standby was cancelled succeeds with a warning, but a failover may lose it: the
 * statement fails as one with an unknown outcome.
 */
function watchStatements(client: pg.PoolClient, onFailure: (error: unknown) => void): void {
  const query = client.query.bind(client) as Query
  let isUnconfirmed = false
  client.on("notice", ({ routine }) => {
    if (routine === waitForStandby) isUnconfirmed = true
  })

  function failureAfter(error: unknown): unknown {
    onFailure(error)
    if (!isUnconfirmed) return error
    isUnconfirmed = false
    return error ?? unknownOutcome()
  }

  function settle(result: unknown): unknown {
    const failure = failureAfter(null)
    if (failure !== null) throw failure
    return result
  }

  const watched: Query = (...args) => {
    const callback = args.at(-1)
    if (typeof callback === "function") {
      return query(...args.slice(0, -1), (error: unknown, result: unknown) =>
        (callback as Callback)(failureAfter(error ?? null) ?? undefined, result),
      )
    }
    const running = query(...args)
    if (!(running instanceof Promise)) return running
    return running.then(settle, (error: unknown) => {
      throw failureAfter(error)
    })
  }
  client.query = watched as pg.PoolClient["query"]
}

/** SQLSTATE 08007, transaction_resolution_unknown. */
function unknownOutcome(): Error {
  return Object.assign(new Error("the standby did not confirm the commit: its outcome is unknown"), { code: "08007" })
}

/** Anybody may ask, so writes are few: an answer serves everybody for so long. */
const validForMs = 1_000
const longestMs = 3_000

/** SQLSTATE 57014, as a server that cancels the statement would say. */
const tooSlow = { code: "57014" }

/**
 * Throws when the database does not take a write and keep it: a read-only server answers reads for hours. Includes the
 * commit, which also waits for a synchronous standby.
 */
export function createWriteProbe(db: Db): () => Promise<void> {
  let running: Promise<void> | null = null
  let provenAt = Number.NEGATIVE_INFINITY

  async function probe(): Promise<void> {
    await inTime(executeOne(db, writeProbe()))
    provenAt = performance.now()
  }

  return async () => {
    if (performance.now() - provenAt < validForMs) return
    running ??= probe().finally(() => {
      running = null
    })
    await running
  }
}

function writeProbe() {
  return oneStatement(sql`update write_probes set probed_at = clock_timestamp()`, () => undefined)
}

async function inTime(writing: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("the database did not write in time"), tooSlow)), longestMs)
  })
  await Promise.race([writing, late]).finally(() => clearTimeout(timer))
}
