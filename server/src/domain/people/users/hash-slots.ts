import { DomainError } from "#kit/domain-error"

interface Limits {
  atOnce: number
  waiting: number
}

/** A hash takes 19 MiB and a core, so a flood of logins queues here instead of starving everything else. */
export function createHashSlots({ atOnce, waiting }: Limits) {
  const line: (() => void)[] = []
  let free = atOnce

  async function enter(): Promise<void> {
    if (free > 0) {
      free -= 1
      return
    }
    if (line.length >= waiting) throw new DomainError("service_unavailable", { retryAfterSeconds: 5 })
    await new Promise<void>((resolve) => line.push(resolve))
  }

  function leave(): void {
    const next = line.shift()
    if (next === undefined) free += 1
    else next()
  }

  return async function inSlot<Result>(work: () => Promise<Result>): Promise<Result> {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
