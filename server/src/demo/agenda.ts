import type { Clock } from "#kit/clock"

type Work = () => Promise<void>

/** A past that happens in the order of its moments; whatever happens may plan what follows from it. */
export interface Agenda {
  /** Shows the moment of what happens just now. */
  clock: Clock
  /** What lies before the present moment happens at once; what lies after the end never does. */
  plan(at: Date, work: Work): void
  /** Everything that is planned, and then the end itself. */
  run(): Promise<void>
}

interface Bounds {
  start: Date
  end: Date
  /** Ends the telling before its next event. */
  signal: AbortSignal
}

export function createAgenda({ start, end, signal }: Bounds): Agenda {
  /** The latest first, so that the next one is taken from the tail. */
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
