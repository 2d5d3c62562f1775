import type { Clock } from "#kit/clock"

type Work = () => Promise<void>

/** A simulated past: events run in chronological order, and each may plan later ones. */
export interface Agenda {
  /** Shows the time of the current event. */
  clock: Clock
  /** Plans an event. A past time runs it at once; a time after the end never does. */
  plan(at: Date, work: Work): void
  /** Runs everything that is planned, up to the end. */
  run(): Promise<void>
}

interface Bounds {
  start: Date
  end: Date
  /** Stops before the next event when aborted. */
  signal: AbortSignal
}

export function createAgenda({ start, end, signal }: Bounds): Agenda {
  /** Sorted latest first, so that the next one is popped from the tail. */
  const planned: { at: Date; work: Work }[] = []
  let now = start

  function plan(at: Date, work: Work): void {
    if (at > end) return
    let index = planned.length
    for (let next = planned[index - 1]; next !== undefined && next.at <= at; next = planned[index - 1]) index -= 1
    planned.splice(index, 0, { at, work })
  }

  return {
    clock: { now: () => now },
    plan,
    async run() {
      for (let next = planned.pop(); next !== undefined; next = planned.pop()) {
        signal.throwIfAborted()
        if (next.at > now) now = next.at
        await next.work()
      }
      now = end
    },
  }
}
