import type { Logger } from "pino"
import { isDatabaseDown } from "#db/database-down"

export interface ScheduledJob {
  /** Starts a run as soon as the present one, if any, has ended. Never throws. */
  wake(): void
  isRunning(): boolean
  stop(): Promise<void>
}

export interface EndedJobRun {
  startedAt: Date
  durationMs: number
  /** Null on success. */
  error: unknown
}

interface Options {
  name: string
  everyMs: number
  run(): Promise<void>
  log: Logger
  onEnd?: (jobRun: EndedJobRun) => void
}

/** A job that runs every few minutes does not wait for its time once the database is back. */
const databaseRetryMs = 2_000

/**
 * Runs at an interval and whenever it is woken, never twice at once in this process. A failed run is logged, and the
 * next one follows at its time, or soon if the database was down. Other nodes run it too, so the work must be safe to
 * repeat.
 */
export function scheduleJob({ name, everyMs, run, log, onEnd }: Options): ScheduledJob {
  let running: Promise<void> | null = null
  let isWoken = false
  let isStopped = false
  let retry: NodeJS.Timeout | undefined

  async function runOnce(): Promise<void> {
    const startedAt = new Date()
    const startMs = performance.now()
    const error: unknown = await run().then(
      () => null,
      (reason: unknown) => reason,
    )
    if (error !== null) log.error({ err: error, job: name }, "a job failed")
    if (isDatabaseDown(error) && everyMs > databaseRetryMs && !isStopped) retry = setTimeout(wake, databaseRetryMs)
    onEnd?.({ startedAt, durationMs: Math.round(performance.now() - startMs), error })
  }

  async function runAll(): Promise<void> {
    while (isWoken && !isStopped) {
      isWoken = false
      await runOnce()
    }
    running = null
  }

  function wake(): void {
    isWoken = true
    if (!isStopped) running ??= runAll()
  }

  const timer = setInterval(wake, everyMs)
  wake()
  return {
    wake,
    isRunning: () => running !== null,
    async stop() {
      isStopped = true
      clearInterval(timer)
      clearTimeout(retry)
      await running
    },
  }
}
