import type { Logger } from "pino"
import { type Clock, secondsAfter } from "#kit/clock"
import { type Psp, provenTime } from "#psp/psp"
import type { Seen } from "./psp-connection.ts"

interface Deps {
  psp: Psp
  clock: Clock
  log: Logger
}

/** Clocks of several nodes and the rounding of a Date header differ by this much without any fault. */
const TOLERANCE_SECONDS = 10
/** Nobody knows since when the stored moment has been wrong; the daily close compares what is older. */
const LOOKED_BACK_SECONDS = 86_400

/**
 * A stored moment that lies ahead was written by a clock that was ahead: everything since then may be unseen, so the
 * list begins a day earlier.
 */
export function believableSeenUntil({ psp, clock, log }: Deps, what: "receipts" | "payouts", stored: Date): Date {
  const now = provenTime({ psp, clock })
  const aheadSeconds = Math.round((stored.getTime() - now.getTime()) / 1000)
  if (aheadSeconds <= TOLERANCE_SECONDS) return stored < now ? stored : now
  log.error({ alarm: "reconciliation_ahead", what, aheadSeconds }, "reconciliation has seen a moment in the future")
  return secondsAfter(now, -LOOKED_BACK_SECONDS)
}

/** Begins a look at the provider; its end is how far that look has seen, by the provider's own clock. */
export function beginLook({ psp, clock }: Pick<Deps, "psp" | "clock">): () => Seen {
  const [startedAt, startedMs] = [clock.now(), performance.now()]
  return () => {
    const theirs = psp.bankTime(startedMs)
    const until = theirs !== null && theirs < startedAt ? theirs : startedAt
    return { until, believableUntil: secondsAfter(provenTime({ psp, clock }), TOLERANCE_SECONDS) }
  }
}
