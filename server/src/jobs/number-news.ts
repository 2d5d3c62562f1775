import type { Db } from "#db/transaction"
import { numberEvents } from "#domain/platform/event-log/number-events"
import { createPause } from "#kit/pause"

/** Events that come together are numbered together. */
const TOGETHER_MS = 100
/** Transactions end within some milliseconds; what a longer one holds back is looked for with the next event or second. */
const HELD_BACK_MS = 20
const MOST_LOOKS = 4

interface NumberingRun {
  run(): Promise<void>
  /** There is news. */
  ask(): void
  stop(): void
}

/**
 * An event that is held back by a transaction under way, of whomever, would otherwise wait for the next event: a busy log of
 * failures would make every seller's events late.
 */
export function createNumberingRun({ db }: { db: Db }, wake: () => void): NumberingRun {
  let looks = 0
  const soon = createPause(TOGETHER_MS, () => {
    looks = MOST_LOOKS
    wake()
  })
  const again = createPause(HELD_BACK_MS, wake)
  return {
    async run() {
      if (!(await numberEvents({ db })) || looks === 0) return
      looks -= 1
      again.ask()
    },
    ask: soon.ask,
    stop() {
      soon.stop()
      again.stop()
    },
  }
}
