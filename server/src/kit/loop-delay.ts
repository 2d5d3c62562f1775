import { monitorEventLoopDelay } from "node:perf_hooks"

const resolutionMs = 20

/** The average delay of timers since the last reading, in ms: the length of an event-loop turn. */
export function watchLoopDelay(): { read(): number; stop(): void } {
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
