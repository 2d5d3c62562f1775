import type { Logger } from "./log.ts"
import { watchLoopDelay } from "./loop-delay.ts"
import { Gauge, metrics } from "./metrics.ts"
import { callsWaiting } from "./micro-batch.ts"
import { createPressureGauge, type Pressure, pressureLevels } from "./pressure.ts"

const everyMs = 250
/**
 * Creating a Pix needs a connection several times: beyond this queue length the payer would have left before the
 * answer.
 */
const mostWaiting = 1_000
const longestWaitMs = 1_500

const levelGauge = new Gauge({
  name: "pressure_level",
  help: "0 calm, 1 busy (reports and exports are refused), 2 extreme (only payers and the bank are answered)",
  registers: [metrics],
})

interface Deps {
  /** Requests waiting for a database connection. */
  requestQueue: { waiting(): number; waitMs(): number }
  log: Logger
}

/** Watches the limits of this process: event-loop turns, connections and batches. */
export function watchPressure({ requestQueue, log }: Deps): Pressure & { stop(): void } {
  const loopDelay = watchLoopDelay()
  const gauge = createPressureGauge([
    { name: "event loop delay", read: loopDelay.read, busyFrom: 200, extremeFrom: 1_000 },
    { name: "wait for a connection", read: requestQueue.waitMs, busyFrom: 250, extremeFrom: 1_000 },
    { name: "calls without a batch", read: callsWaiting, busyFrom: 500, extremeFrom: 2_500 },
  ])
  let level = gauge.level()

  function update(): void {
    const seen = gauge.update()
    if (seen.level === level) return
    level = seen.level
    levelGauge.set(pressureLevels.indexOf(level))
    log.warn({ level, reasons: seen.reasons }, "the pressure changed")
  }

  const timer = setInterval(update, everyMs).unref()
  return {
    level: gauge.level,
    isFull: () => requestQueue.waiting() >= mostWaiting || requestQueue.waitMs() >= longestWaitMs,
    stop() {
      clearInterval(timer)
      loopDelay.stop()
    },
  }
}
