import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"

/** An idle event loop turns faster than this. */
const quickTurnMs = 2
/** The pause is this many times the length of a slow turn. */
const pauseFactor = 20
/** Upper bound, so that the work goes on however busy the process is. */
const longestPauseMs = 100

/**
 * Call between the parts of long work that can wait: the busier payers and the bank keep the event loop, the longer it
 * pauses.
 */
export async function yieldWhenBusy(): Promise<void> {
  const startedAt = performance.now()
  await nextTurn()
  const turnMs = performance.now() - startedAt
  if (turnMs > quickTurnMs) await sleep(Math.min(turnMs * pauseFactor, longestPauseMs))
}
