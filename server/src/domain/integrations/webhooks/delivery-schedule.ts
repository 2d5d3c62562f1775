import { secondsAfter } from "#kit/clock"

const minute = 60
const hour = 3600

const growing = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour]
/** From 5 s to 12 h, over five days and four hours. */
const pauses = [...growing, ...Array.from({ length: 9 }, () => 12 * hour)]

export const longestPauseSeconds = 12 * hour

/** Null after the last try: then the delivery waits for a release. */
export function nextAttemptAfter(attempts: number, now: Date): Date | null {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : secondsAfter(now, pause)
}

const longestRestSeconds = 30

/** A dead endpoint with a long backlog is asked every half minute, whatever is due. */
export function restAfter(failuresInRow: number, now: Date): Date {
  return secondsAfter(now, Math.min(0.25 * 2 ** Math.min(failuresInRow, 10), longestRestSeconds))
}
