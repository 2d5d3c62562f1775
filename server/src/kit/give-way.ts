import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"

/** Where nobody waits, a turn of the event loop takes less. */
const quickTurnMs = 2
/** How much longer than a slow turn it stays away. */
const away = 20
/** So that it goes on however busy it is. */
const longestAwayMs = 100

/** Between the parts of a long work that can wait: the longer payers and the bank make a turn, the longer it stays away. */
export async function giveWay(): Promise<void> {
  const startedAt = performance.now()
  await nextTurn()
  const turnMs = performance.now() - startedAt
  if (turnMs > quickTurnMs) await sleep(Math.min(turnMs * away, longestAwayMs))
}
