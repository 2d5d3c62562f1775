import type { Worker } from "node:cluster"
import cluster from "node:cluster"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { systemClock } from "#kit/clock"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { gatherMetrics } from "#kit/metrics"
import type { Env } from "./env.ts"
import type { RunningServer } from "./server.ts"
import { type SharedParts, startSharedParts } from "./shared-parts.ts"
import { createShutdown } from "./shutdown.ts"
import type { WorkerReport } from "./worker.ts"

interface Started {
  worker: Worker
  ready: Pick<RunningServer, "publicUrl" | "firstAdmin">
}

const script = fileURLToPath(new URL("worker.ts", import.meta.url))
const restartDelayMs = { usual: 100, afterShortLife: 1_000, longest: 5_000 }
const shortLifeMs = 60_000
/** A little more than a server takes at most; the database is stopped after them. */
const stopWithinMs = 6_500

/** WORKERS server processes on one port, with one database and one simulator between them. */
export async function startWorkers(env: Env, log: Logger, signal: AbortSignal): Promise<RunningServer> {
  const shutdown = createShutdown(log)
  const ending = new AbortController()
  const ended = AbortSignal.any([signal, ending.signal])
  try {
    const shared = await startSharedParts({ env, log, clock: systemClock, shutdown, signal })
    ended.throwIfAborted()
    cluster.setupPrimary({ exec: script })
    gatherMetrics()
    const stopProcesses = () => {
      ending.abort()
      return stopAll()
    }
    shutdown.add({ name: "server processes", limitMs: stopWithinMs + env.drainSeconds * 1_000, stop: stopProcesses })
    const start = async () => keepRunning(await startOne(shared), { shared, log, ended })
    // Alone, because it brings the schema up to date and creates the first administrator.
    const first = await start()
    ended.throwIfAborted()
    await Promise.all(Array.from({ length: env.workers - 1 }, start))
    return { ...first, stop: shutdown.stopAll }
  } catch (error) {
    await shutdown.stopAll()
    throw error
  }
}

/** Resolves once it serves; rejects with the reason why it can't. */
function startOne(shared: SharedParts): Promise<Started> {
  const worker = cluster.fork()
  worker.send(shared)
  return new Promise((resolve, reject) => {
    worker.on("message", (report: WorkerReport | object) => {
      if ("ready" in report) resolve({ worker, ready: report.ready })
      if ("failed" in report) reject(new StartError(report.failed))
    })
    worker.once("exit", (code: number | null, killedBy: string | null) => {
      reject(new StartError(`Um processo do servidor terminou ao iniciar (${killedBy ?? code}).`))
    })
  })
}

interface Restarts {
  shared: SharedParts
  log: Logger
  ended: AbortSignal
}

/** Starts another in its place whenever it ends. */
function keepRunning({ worker, ready }: Started, context: Restarts): Started["ready"] {
  const startedAt = performance.now()
  worker.once("exit", (code: number | null, killedBy: string | null) => {
    const { log, ended } = context
    if (ended.aborted) return
    log.error({ endedPid: worker.process.pid, code, killedBy }, "a server process ended: another is started")
    const isShort = performance.now() - startedAt < shortLifeMs
    void replace(context, isShort ? restartDelayMs.afterShortLife : restartDelayMs.usual)
  })
  return ready
}

async function replace(context: Restarts, firstDelayMs: number): Promise<void> {
  const { shared, log, ended } = context
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, restartDelayMs.longest)) {
    await sleep(delayMs)
    if (ended.aborted) return
    const next = await startOne(shared).catch((err: unknown) => {
      if (!ended.aborted) log.error({ err }, "a server process does not start; trying again")
      return null
    })
    if (next === null) continue
    keepRunning(next, context)
    return
  }
}

async function stopAll(): Promise<void> {
  const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  await Promise.all(
    running.map(async (worker) => {
      const exit = worker.isDead() ? null : once(worker, "exit")
      worker.process.kill("SIGTERM")
      await exit
    }),
  )
}
