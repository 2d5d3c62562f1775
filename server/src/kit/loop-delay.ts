import { monitorEventLoopDelay } from "node:perf_hooks"

const resolutionMs = 20

/** How late timers came on average since the last reading, ms: what each turn of the event loop takes. */
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
