import { Gauge } from "prom-client"
import type { Logger } from "./log.ts"
import { watchLoopDelay } from "./loop-delay.ts"
import { metrics } from "./metrics.ts"
import { callsWaiting } from "./micro-batch.ts"
import { createPressureGauge, type Pressure, pressureLevels } from "./pressure.ts"

const everyMs = 250
/** They wait for less than a second, even where each takes a while. */
const mostWaitingRequests = 1_000

const levelGauge = new Gauge({
  name: "pressure_level",
  help: "0 calm, 1 busy (reports and exports are refused), 2 extreme (only payers and the bank are answered)",
  registers: [metrics],
})

interface Deps {
  /** Requests that wait for a connection to the database. */
  waitingRequests(): number
  log: Logger
}

/** What this process can't keep up with: its own turns, its connections, its batches. */
export function watchPressure({ waitingRequests, log }: Deps): Pressure & { stop(): void } {
  const loopDelay = watchLoopDelay()
  const gauge = createPressureGauge([
    { name: "event loop delay", read: loopDelay.read, busyFrom: 70, extremeFrom: 400 },
    { name: "requests without a connection", read: waitingRequests, busyFrom: 100, extremeFrom: 500 },
    { name: "calls without a batch", read: callsWaiting, busyFrom: 500, extremeFrom: 2_500 },
  ])
  let level = gauge.level()

  function look(): void {
    const seen = gauge.look()
    if (seen.level === level) return
    level = seen.level
    levelGauge.set(pressureLevels.indexOf(level))
    log.warn({ level, reasons: seen.reasons }, "the pressure changed")
  }

  const timer = setInterval(look, everyMs).unref()
  return {
    level: gauge.level,
    isFull: () => waitingRequests() >= mostWaitingRequests,
    stop() {
      clearInterval(timer)
      loopDelay.stop()
    },
  }
}
