import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { openCluster, type PostgresCluster } from "./postgres-cluster.ts"
import { findPostmaster, isRunning, pickFreePort, spawnPostmaster, stopPostmaster } from "./postmaster.ts"
import { dataDirLock } from "./transaction.ts"

export type EmbeddedPostgres = { url: string; stop(): Promise<void> }

/**
 * `isDurable: false` trades durability for speed, for databases that a test throws away. `signal` aborts a start, also
 * between initdb and the first start of the database. `nodes` are the servers that share it. `userNamespaces: false` is
 * for a test of root's start where the system has none.
 */
type EmbeddedOptions = {
  dataDir: string
  log: Logger
  isDurable?: boolean
  signal?: AbortSignal
  nodes?: number
  userNamespaces?: boolean
}

type Running = { pid: number; port: number; isAdopted: boolean; exited: Promise<void> }

type StartOptions = { cluster: PostgresCluster; log: Logger; signal: AbortSignal; port?: number }

const databaseName = "tilinta"
/** All pools of a server together; what a tool, an operator's psql and PostgreSQL itself take besides. */
const connections = { eachNode: 52, others: 52 }
const failingForMs = 10_000
const restartDelayMs = { first: 100, longest: 5_000, forgottenAfter: 60_000 }

/** For the server, which must be alone on its DATA_DIR. A database left running by a killed server is taken over. */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  isDurable = true,
  signal,
  nodes = 1,
  userNamespaces,
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const given = { dataDir, log, isDurable, signal, userNamespaces }
  const cluster = await openCluster({ ...given, connections: connectionsOf(nodes) })
  const stopping = new AbortController()
  const running = await startOrAdopt({ cluster, log, signal: stopping.signal })
  const url = urlOf(cluster, running.port, databaseName)
  const claim = await ensureDatabase(cluster, running.port)
    .then(() => claimDataDir({ url, dataDir, log }))
    .catch(async (error: unknown) => {
      await leave(cluster, running)
      throw error
    })
  log.info({ pid: running.pid, port: running.port, adopted: running.isAdopted }, "embedded database ready")
  const supervision = supervise({ cluster, log, signal: stopping.signal, port: running.port }, running)

  async function stop(): Promise<void> {
    stopping.abort()
    await claim.release()
    const last = await findPostmaster(cluster.folder)
    if (last !== null) await stopPostmaster(last.pid, cluster.folder)
    await supervision
    log.info("embedded database stopped")
  }

  let stopped: Promise<void> | undefined
  return { url, stop: () => (stopped ??= stop()) }
}

/** For command-line tools, next to a running server or alone. A database that others still use keeps running. */
export async function connectEmbedded({ dataDir, log, isDurable = true }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster({ dataDir, log, isDurable, connections: connectionsOf(1) })
  const running = await startOrAdopt({ cluster, log, signal: new AbortController().signal })
  await ensureDatabase(cluster, running.port)

  let stopped: Promise<void> | undefined
  return { url: urlOf(cluster, running.port, databaseName), stop: () => (stopped ??= leave(cluster, running)) }
}

function connectionsOf(nodes: number): number {
  return nodes * connections.eachNode + connections.others
}

async function leave(cluster: PostgresCluster, { pid, port, isAdopted }: Running): Promise<void> {
  if (isAdopted || (await isUsedByOthers(cluster, port))) return
  await stopPostmaster(pid, cluster.folder)
}

/** Restarts on the same port, so that the connection pools recover by themselves. */
async function supervise(options: StartOptions, first: Running): Promise<void> {
  let current: Running | null = first
  let delayMs = restartDelayMs.first
  while (current !== null) {
    const upSince = Date.now()
    await Promise.race([current.exited, aborted(options.signal)])
    if (options.signal.aborted) return
    options.log.error({ pid: current.pid }, "the embedded database ended by itself: starting it again")
    if (Date.now() - upSince > restartDelayMs.forgottenAfter) delayMs = restartDelayMs.first
    current = await restart(options, delayMs)
    delayMs = Math.min(delayMs * 2, restartDelayMs.longest)
  }
}

async function restart(options: StartOptions, firstDelayMs: number): Promise<Running | null> {
  const { cluster, log, signal, port } = options
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, restartDelayMs.longest)) {
    await sleep(delayMs, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return null
    try {
      const running = await startOrAdopt(options)
      if (running.port === port) log.warn({ pid: running.pid, port }, "the embedded database is back")
      else log.error({ pid: running.pid, port: running.port }, "another program started the database on another port")
      return running
    } catch (error) {
      if (signal.aborted) return null
      log.error({ err: error, logFile: cluster.logFile }, "the embedded database does not start")
    }
  }
}

async function startOrAdopt({ cluster, log, signal, port }: StartOptions): Promise<Running> {
  let failingSince: number | null = null
  for (;;) {
    const found = await waitForPostmaster(cluster, log, signal)
    if (found !== null) return found

    const running = await start(cluster, port ?? (await pickFreePort()), signal)
    if (running !== null) return running

    failingSince ??= Date.now()
    if (Date.now() - failingSince > failingForMs) throw await notStarting(cluster)
    await sleep(200)
  }
}

/** Starts a postmaster; null when it exits at once, since children of a killed one may hold its memory for a moment. */
async function start(cluster: PostgresCluster, port: number, signal: AbortSignal): Promise<Running | null> {
  const { pid, exited } = await spawnPostmaster(cluster, port)
  let hasExited = false
  void exited.then(() => {
    hasExited = true
  })
  while (!hasExited) {
    const found = await findPostmaster(cluster.folder)
    // Even a ready one, because whoever aborted may have looked for it before it had written its file.
    if (signal.aborted && found?.pid === pid) await stopPostmaster(pid, cluster.folder)
    else if (found?.pid === pid && found.isReady) return { pid, port, isAdopted: false, exited }
    await sleep(10)
  }
  signal.throwIfAborted()
  return null
}

/** Waits until a running postmaster accepts connections; null when none runs, or when it exited meanwhile. */
async function waitForPostmaster(cluster: PostgresCluster, log: Logger, signal: AbortSignal): Promise<Running | null> {
  let refusedSince: number | null = null
  for (let waits = 0; ; waits += 1) {
    signal.throwIfAborted()
    const found = await findPostmaster(cluster.folder)
    if (found === null) return null
    if (found.isReady && found.port !== null) {
      if (await accepts(cluster, found.port)) {
        return { pid: found.pid, port: found.port, isAdopted: true, exited: untilGone(found.pid, cluster.folder) }
      }
      refusedSince ??= Date.now()
      if (Date.now() - refusedSince > failingForMs) throw await notStarting(cluster)
    }
    if (waits % 100 === 10) log.info({ pid: found.pid }, "waiting for the embedded database to recover or to stop")
    await sleep(50)
  }
}

async function untilGone(pid: number, folder: string): Promise<void> {
  while (await isRunning(pid, folder)) await sleep(250, undefined, { ref: false })
}

async function accepts(cluster: PostgresCluster, port: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(cluster, port, "postgres"), connectionTimeoutMillis: 2_000 })
  client.on("error", () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function ensureDatabase(cluster: PostgresCluster, port: number): Promise<void> {
  await withClient(urlOf(cluster, port, "postgres"), async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [databaseName])
    if (rowCount !== 0) return
    await client.query(`CREATE DATABASE ${databaseName}`).catch((error: pg.DatabaseError) => {
      const isThereAlready = error.code === "42P04" || error.code === "23505"
      if (!isThereAlready) throw error
    })
  })
}

async function isUsedByOthers(cluster: PostgresCluster, port: number): Promise<boolean> {
  return withClient(urlOf(cluster, port, "postgres"), async (client) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { rows } = await client.query<{ others: string }>(
        "SELECT count(*) AS others FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      )
      if (rows[0]?.others === "0") return false
      await sleep(100)
    }
    return true
  }).catch(() => true)
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on("error", () => undefined)
  await client.connect()
  return use(client).finally(() => client.end())
}

function urlOf({ password }: PostgresCluster, port: number, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}?sslmode=disable`
}

async function notStarting({ logFile }: PostgresCluster): Promise<StartError> {
  const lines = (await readFile(logFile, "utf8").catch(() => "")).trimEnd().split("\n")
  const reason = lines.findLast((line) => line.includes("FATAL")) ?? ""
  return new StartError(`O PostgreSQL embutido não inicia; veja ${logFile}. ${reason}`.trim())
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
}

type DataDirClaim = { release(): Promise<void> }

type ClaimOptions = { url: string; dataDir: string; log: Logger }

const claimPatienceMs = 1_500

/** One server per DATA_DIR. The lock lives in a session of the database, so a killed server cannot leave it behind. */
async function claimDataDir({ url, dataDir, log }: ClaimOptions): Promise<DataDirClaim> {
  let isReleased = false
  let session = await openSession(url)
  const giveUpAt = Date.now() + claimPatienceMs
  while (!(await tryLock(session))) {
    if (Date.now() > giveUpAt) {
      await session.end()
      throw new StartError(`DATA_DIR (${dataDir}) já está em uso por outro servidor: pare-o ou escolha outra pasta.`)
    }
    await sleep(50)
  }

  function watch(): void {
    session.once("end", () => void reclaim())
  }

  async function reclaim(): Promise<void> {
    while (!isReleased) {
      await sleep(250, undefined, { ref: false })
      const next = await openSession(url).catch(() => null)
      if (next === null) continue
      if (!isReleased && (await tryLock(next).catch(() => false))) {
        session = next
        return watch()
      }
      log.warn({ dataDir }, "the data folder is claimed by another server")
      await next.end().catch(() => undefined)
    }
  }

  watch()
  return {
    async release() {
      isReleased = true
      await session.end().catch(() => undefined)
    },
  }
}

async function openSession(url: string): Promise<pg.Client> {
  const session = new pg.Client({
    connectionString: url,
    application_name: "tilinta-claim",
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  session.on("error", () => undefined)
  await session.connect()
  return session
}

async function tryLock(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ isLocked: boolean }>(
    'SELECT pg_try_advisory_lock($1::int, $2::int) AS "isLocked"',
    [...dataDirLock],
  )
  return rows[0]?.isLocked === true
}
