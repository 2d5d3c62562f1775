import { DomainError } from "./domain-error.ts"

/** The longest wait in a queue; a caller who has waited longer is refused. */
export interface Deadlines {
  calmMs: number
  /** Once the queue has not been empty for `calmMs`: more come than can be served. */
  pressedMs: number
}

interface Options<Waiting> {
  mostWaiting: number
  deadlines?: Deadlines
  refuse(waiting: Waiting, error: DomainError): void
}

interface WaitingLine<Waiting> {
  length(): number
  /** How long it has not been empty, in ms. */
  standsMs(): number
  /** Refuses at once when there is no room. */
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
}: Options<Waiting>): WaitingLine<Waiting> {
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
