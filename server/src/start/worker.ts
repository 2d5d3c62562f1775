import { once } from "node:events"
import { StartError } from "#kit/errors"
import { shareMetrics } from "#kit/metrics"
import { runProcess } from "./run-process.ts"
import { type RunningServer, startServer } from "./server.ts"
import type { SharedParts } from "./shared-parts.ts"

/** A worker's message to the process that started it. */
export type WorkerReport = { ready: Pick<RunningServer, "publicUrl" | "firstAdmin"> } | { failed: string }

// The first message of all.
const [shared] = (await once(process, "message")) as [SharedParts]
shareMetrics()

try {
  await runProcess(
    (env, log, signal) => startServer(env, log, signal, shared),
    ({ publicUrl, firstAdmin }) => report({ ready: { publicUrl, firstAdmin } }),
  )
} catch (error) {
  if (!(error instanceof StartError)) throw error
  report({ failed: error.message })
  process.exit(1)
}

function report(message: WorkerReport): void {
  process.send?.(message)
}
