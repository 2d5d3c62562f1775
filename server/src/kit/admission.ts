import { createSlots } from "./slots.ts"
import type { Deadlines } from "./waiting-line.ts"

interface Limits {
  /** Let in however late the event loop is. */
  fewest: number
  /** Let in at once after a quiet time. */
  usual: number
  most: number
  mostWaiting: number
  deadlines?: Deadlines
}

/** Work that is let in as long as it makes nothing else late. */
export interface Admission {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Takes a reading of the event loop's delay, in ms. */
  note(delayMs: number): void
}

/** An event-loop turn that payers, who wait for several of them, would notice. */
const lateMs = 20
const cut = 0.7
const growth = 1.2

/**
 * While the event loop is late, each reading lets fewer in than are under way, and afterwards a few more again, beyond the
 * usual number only as far as it is used. The others wait in a queue with a deadline.
 */
export function createAdmission({ fewest, usual, most, ...queue }: Limits): Admission {
  let limit = usual
  const slots = createSlots({ atOnce: () => limit, ...queue })
  return {
    run: slots.run,
    note(delayMs) {
      const underWay = slots.underWay()
      const fewer = Math.max(fewest, Math.floor(Math.min(limit, underWay) * cut))
      const more = Math.min(most, Math.ceil(limit * growth), Math.max(usual, Math.ceil(underWay * growth)))
      limit = delayMs > lateMs ? fewer : more
    },
  }
}
