import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { addOpenings, type Openings } from "./openings-repository.ts"

export interface OpeningCounter {
  /** Counts a view of one of the seller's pages, without a query: counts are written every few seconds. */
  count(sellerId: string): void
  flush(): Promise<void>
}

/** A killed process loses the last seconds of views, on which no money depends. */
export function createOpeningCounter({ db, clock }: { db: Db; clock: Clock }): OpeningCounter {
  let waiting = new Map<string, Openings>()

  function add({ sellerId, day, count }: Openings): void {
    const key = `${sellerId} ${day}`
    const known = waiting.get(key)
    if (known === undefined) waiting.set(key, { sellerId, day, count })
    else known.count += count
  }

  return {
    count: (sellerId) => add({ sellerId, day: saoPauloDay(clock.now()), count: 1 }),
    async flush() {
      if (waiting.size === 0) return
      const openings = [...waiting.values()]
      waiting = new Map()
      try {
        await db.transaction().execute((tx: Tx) => addOpenings(tx, openings))
      } catch (error) {
        for (const each of openings) add(each)
        throw error
      }
    },
  }
}
