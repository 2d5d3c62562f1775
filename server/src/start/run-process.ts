import { createLog, type Logger } from "#kit/log"
import { releaseMemory } from "#kit/machine"
import { type Env, readEnv } from "./env.ts"
import type { RunningServer } from "./server.ts"

/** Below the ten seconds after which supervisors kill; a server that drains takes as much longer. */
const exitAfterMs = 9_500

/** Starts once, and stops by a signal or a failure that nobody caught. Throws what the start throws. */
export async function runProcess(
  start: (env: Env, log: Logger, signal: AbortSignal) => Promise<RunningServer>,
  announce: (started: RunningServer) => void,
): Promise<void> {
  const env = readEnv(process.env)
  const log = createLog(env.logLevel)
  const unwanted = new AbortController()
  const starting = start(env, log, unwanted.signal)

  let isStopping = false
  async function stop(exitCode: number): Promise<void> {
    if (isStopping) return
    isStopping = true
    unwanted.abort()
    setTimeout(() => process.exit(exitCode), exitAfterMs + env.drainSeconds * 1_000)
    const started: RunningServer | null = await starting.catch(() => null)
    await started?.stop()
    process.exit(exitCode)
  }
  process.on("SIGTERM", () => void stop(0))
  process.on("SIGINT", () => void stop(0))
  for (const event of ["unhandledRejection", "uncaughtException"] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event)
      void stop(1)
    })
  }

  const started = await starting.catch((error: unknown) => {
    if (isStopping) return null
    throw error
  })
  if (started === null) return
  announce(started)
  await releaseMemory()
}
