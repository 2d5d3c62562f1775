import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"
import { DomainError } from "./errors.ts"

/** The longest wait in a queue; a caller who has waited longer is refused. */
export interface Deadlines {
  calmMs: number
  /** Once the queue has not been empty for `calmMs`: more come than can be served. */
  pressedMs: number
}

interface LineOptions<Waiting> {
  mostWaiting: number
  deadlines?: Deadlines
  refuse(waiting: Waiting, error: DomainError): void
}

interface WaitingLine<Waiting> {
  length(): number
  /** How long it has not been empty, in ms. */
  standsMs(): number
  /** Refuses at once when every place is taken. */
  add(waiting: Waiting): void
  /** Returns at most so many, in the order of their arrival. */
  take(most: number): Waiting[]
}

export const usualDeadlines: Deadlines = { calmMs: 1_000, pressedMs: 100 }
/** The deadlines of all queues that name no others. */
export const queues = { deadlines: usualDeadlines }
const retryAfterSeconds = 1

/**
 * A queue with a deadline. A burst is served in the order of arrival. When more come than can be served, such a queue would
 * make all of them wait for the longest time that anybody bears; so a queue that has stood for a second serves the newest
 * first, and refuses the others after a moment. Those who are served are served fast.
 */
export function createWaitingLine<Waiting>({
  mostWaiting,
  deadlines: own,
  refuse,
}: LineOptions<Waiting>): WaitingLine<Waiting> {
  const line: { waiting: Waiting; since: number }[] = []
  const deadlines = () => own ?? queues.deadlines
  let standsSince = 0
  let timer: NodeJS.Timeout | undefined

  const isPressed = (now: number) => line.length > 0 && now - standsSince >= deadlines().calmMs

  function expire(): void {
    const now = performance.now()
    const { calmMs, pressedMs } = deadlines()
    const longestMs = isPressed(now) ? pressedMs : calmMs
    const late = line.findIndex(({ since }) => now - since < longestMs)
    const expired = line.splice(0, late === -1 ? line.length : late)
    for (const { waiting } of expired) refuse(waiting, overloaded())
    watch(now)
  }

  /** One timer for all: the oldest is the first to be late. */
  function watch(now: number): void {
    clearTimeout(timer)
    const [oldest] = line
    const ms = oldest === undefined ? Number.POSITIVE_INFINITY : lastMoment(oldest.since, now) - now
    timer = Number.isFinite(ms) ? setTimeout(expire, ms) : undefined
  }

  function lastMoment(since: number, now: number): number {
    const { calmMs, pressedMs } = deadlines()
    if (isPressed(now)) return since + pressedMs
    return Math.min(since + calmMs, Math.max(standsSince + calmMs, since + pressedMs))
  }

  return {
    length: () => line.length,
    standsMs: () => (line.length === 0 ? 0 : performance.now() - standsSince),
    add(waiting) {
      const now = performance.now()
      if (line.length >= mostWaiting) {
        refuse(waiting, overloaded())
        return
      }
      if (line.length === 0) standsSince = now
      line.push({ waiting, since: now })
      if (line.length === 1) watch(now)
    },
    take(most) {
      const first = isPressed(performance.now()) ? Math.max(0, line.length - most) : 0
      const taken = line.splice(first, most)
      if (line.length === 0) clearTimeout(timer)
      return taken.map(({ waiting }) => waiting)
    },
  }
}

function overloaded(): DomainError {
  return new DomainError("overloaded", { retryAfterSeconds })
}

export function isOverloaded(error: unknown): boolean {
  return error instanceof DomainError && error.code === "overloaded"
}

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
