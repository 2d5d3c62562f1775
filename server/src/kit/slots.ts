import type { DomainError } from "./domain-error.ts"
import { createWaitingLine, type Deadlines } from "./waiting-line.ts"

interface Options {
  /** The limit; it may change while some are under way. */
  atOnce: number | (() => number)
  mostWaiting: number
  deadlines?: Deadlines
}

interface Slots {
  /** Resolves when the caller may go on; rejects when that would take too long. */
  enter(): Promise<void>
  /** Goes on at once, beyond the limit. */
  enterAtOnce(): void
  /** Each caller who has entered leaves once. */
  leave(): void
  run<Result>(work: () => Promise<Result>): Promise<Result>
  underWay(): number
  waiting(): number
  standsMs(): number
}

interface Waiting {
  resolve(): void
  reject(error: DomainError): void
}

/** Lets so many callers go on at once; the others wait in a queue with a deadline. */
export function createSlots({ atOnce, ...queue }: Options): Slots {
  const limit = typeof atOnce === "number" ? () => atOnce : atOnce
  const line = createWaitingLine<Waiting>({ ...queue, refuse: ({ reject }, error) => reject(error) })
  let taken = 0

  async function enter(): Promise<void> {
    if (taken >= limit()) return new Promise((resolve, reject) => line.add({ resolve, reject }))
    taken += 1
  }

  function leave(): void {
    taken -= 1
    for (const { resolve } of line.take(Math.max(0, limit() - taken))) {
      taken += 1
      resolve()
    }
  }

  return {
    enter,
    enterAtOnce() {
      taken += 1
    },
    leave,
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    underWay: () => taken,
    waiting: line.length,
    standsMs: line.standsMs,
  }
}
