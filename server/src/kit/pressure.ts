import { monitorEventLoopDelay } from "node:perf_hooks"
import type { Logger } from "./log.ts"
import { Gauge, metrics } from "./metrics.ts"
import { callsWaiting } from "./micro-batch.ts"
import type { Admission } from "./waiting-line.ts"

/** Load levels: `busy` sheds reports and exports, `extreme` everything but payers and the bank. */
const pressureLevels = ["calm", "busy", "extreme"] as const
export type PressureLevel = (typeof pressureLevels)[number]

interface PressureSource {
  name: string
  read(): number
  busyFrom: number
  extremeFrom: number
}

export interface Pressure {
  level(): PressureLevel
}

/** Hysteresis: the start or a few long pauses raise no level, and a single quiet moment lowers none. */
const readingsToRise = 4
const readingsToFall = 4
/** A level is left well below its threshold, or it would flap with the load that it sheds. */
const leaveAt = 0.5

/** The level, from readings of its sources. */
export function createPressureGauge(sources: readonly PressureSource[]) {
  let level = 0
  let higherReadings = 0
  let lowerReadings = 0

  /** Takes a reading; returns the level and the sources that caused it. */
  function update(): { level: PressureLevel; reasons: string[] } {
    const readings = sources.map((source) => ({ name: source.name, level: levelOf(source) }))
    const now = Math.max(0, ...readings.map((each) => each.level))
    higherReadings = now > level ? higherReadings + 1 : 0
    lowerReadings = now < level ? lowerReadings + 1 : 0
    if (higherReadings >= readingsToRise || lowerReadings >= readingsToFall) {
      level = now
      higherReadings = 0
      lowerReadings = 0
    }
    return { level: current(), reasons: readings.filter((each) => each.level > 0).map(({ name }) => name) }
  }

  function levelOf({ read, busyFrom, extremeFrom }: PressureSource): number {
    const figure = read()
    const from = (bound: number, ofLevel: number) => bound * (level >= ofLevel ? leaveAt : 1)
    if (figure >= from(extremeFrom, 2)) return 2
    return figure >= from(busyFrom, 1) ? 1 : 0
  }

  const current = (): PressureLevel => pressureLevels[level] ?? "calm"
  return { update, level: current }
}

const everyMs = 250
/** From which reading on each source is too much. */
export const bounds = {
  loopDelayMs: { busyFrom: 200, extremeFrom: 1_000 },
  queueMs: { busyFrom: 250, extremeFrom: 1_000 },
  callsWaiting: { busyFrom: 500, extremeFrom: 2_500 },
}
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
    { name: "event loop delay", read: () => delayMs, ...bounds.loopDelayMs },
    { name: "queue for a connection", read: requestQueue.standsMs, ...bounds.queueMs },
    { name: "calls without a batch", read: callsWaiting, ...bounds.callsWaiting },
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

const resolutionMs = 20

/** The average delay of timers since the last reading, in ms: the length of an event-loop turn. */
function watchLoopDelay(): { read(): number; stop(): void } {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  return {
    read() {
      const meanMs = histogram.mean / 1e6
      histogram.reset()
      return Number.isFinite(meanMs) ? Math.max(0, meanMs - resolutionMs) : 0
    },
    stop: () => void histogram.disable(),
  }
}
