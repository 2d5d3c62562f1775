/** A read–write lock: many pass together or one alone; the one waiting for solitude blocks later ones. */
export interface Gate {
  together<T>(work: () => Promise<T>): Promise<T>
  alone<T>(work: () => Promise<T>): Promise<T>
}

export function createGate(): Gate {
  const inside = new Set<Promise<unknown>>()
  let closed: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function together<T>(work: () => Promise<T>): Promise<T> {
    while (waiting > 0) await closed
    const passing = work()
    inside.add(passing)
    try {
      return await passing
    } finally {
      inside.delete(passing)
    }
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    waiting += 1
    const before = closed
    const turn = before
      .then(() => Promise.allSettled(inside))
      .then(work)
      .finally(() => {
        waiting -= 1
      })
    closed = turn.catch(() => undefined)
    return turn
  }

  return { together, alone }
}
