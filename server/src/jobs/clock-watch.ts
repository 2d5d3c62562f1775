import type { Logger } from "pino"
import type { Clock } from "#kit/clock"
import { Gauge, metrics } from "#kit/metrics"
import type { Psp } from "#psp/psp"

interface Deps {
  psp: Pick<Psp, "bankTime">
  clock: Clock
  log: Logger
}

/** More than rounding, slow answers and ordinary drift explain. */
const MOST_SECONDS = 60
/** The alarm is repeated once an hour at ten-second looks. */
const LOOKS_BETWEEN_ALARMS = 360

const skew = new Gauge({
  name: "clock_skew_seconds",
  help: "How far this server's clock is ahead of the provider's",
  registers: [metrics],
  aggregator: "max",
})

/**
 * Each call compares our clock with the provider's and returns how many seconds ours is ahead. The alarm waits for a
 * second look, because after a pause of the whole machine the first one only sees that no answer has come yet.
 */
export function createClockWatch({ psp, clock, log }: Deps): () => number | null {
  let looks = 0

  return () => {
    const theirs = psp.bankTime()
    const seconds = theirs === null ? null : Math.round((clock.now().getTime() - theirs.getTime()) / 1000)
    skew.set(seconds ?? Number.NaN)
    looks = seconds !== null && Math.abs(seconds) > MOST_SECONDS ? looks + 1 : 0
    if (looks % LOOKS_BETWEEN_ALARMS === 2) {
      log.error({ alarm: "clock_skew", aheadSeconds: seconds }, "this server's clock differs from the provider's")
    }
    return seconds
  }
}
