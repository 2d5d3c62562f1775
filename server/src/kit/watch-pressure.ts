import type { Admission } from "./admission.ts"
import type { Logger } from "./log.ts"
import { watchLoopDelay } from "./loop-delay.ts"
import { Gauge, metrics } from "./metrics.ts"
import { callsWaiting } from "./micro-batch.ts"
import { createPressureGauge, type Pressure, pressureLevels } from "./pressure.ts"

const everyMs = 250
const levelGauge = new Gauge({
  name: "pressure_level",
  help: "0 calm, 1 busy (reports and exports are refused), 2 extreme (only payers and the bank are answered)",
  registers: [metrics],
})

interface Deps {
  /** How long requests have been waiting for a database connection without a moment's pause. */
  requestQueue: { standsMs(): number }
  /** Creations of a Pix, which payers who have theirs come before. */
  creations: Pick<Admission, "note">
  log: Logger
}

/** Watches the limits of this process: event-loop turns, connections and batches. */
export function watchPressure({ requestQueue, creations, log }: Deps): Pressure & { stop(): void } {
  const loopDelay = watchLoopDelay()
  let delayMs = 0
  const gauge = createPressureGauge([
    { name: "event loop delay", read: () => delayMs, busyFrom: 200, extremeFrom: 1_000 },
    { name: "queue for a connection", read: requestQueue.standsMs, busyFrom: 250, extremeFrom: 1_000 },
    { name: "calls without a batch", read: callsWaiting, busyFrom: 500, extremeFrom: 2_500 },
  ])
  let level = gauge.level()

  function update(): void {
    delayMs = loopDelay.read()
    creations.note(delayMs)
    const seen = gauge.update()
    if (seen.level === level) return
    level = seen.level
    levelGauge.set(pressureLevels.indexOf(level))
    log.warn({ level, reasons: seen.reasons }, "the pressure changed")
  }

  const timer = setInterval(update, everyMs).unref()
  return {
    level: gauge.level,
    stop() {
      clearInterval(timer)
      loopDelay.stop()
    },
  }
}
