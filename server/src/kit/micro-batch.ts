import { DomainError } from "./domain-error.ts"

interface Options<Item, Result> {
  /** Answers one result for each item, in their order. All or nothing: what it throws undoes the whole batch. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Items of one batch. */
  most: number
  /** Batches under way at the same time. */
  slots: number
  /** Who would be behind so many is refused at once: a queue that grows without end only makes all wait in vain. */
  mostWaiting?: number
  /** Whether each item alone would fail of it too, as of a database that is away: then all fail at once. */
  failsAll?(error: unknown): boolean
  /** Whether people wait for the answers: their calls count among those that wait. */
  hasCallers?: boolean
}

const usualMostWaiting = 5_000
const retryAfterSeconds = 1
let callsInQueues = 0

/** Those of all batches of this process that wait for a slot. */
export function callsWaiting(): number {
  return callsInQueues
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * One call for each item, few runs for many: what arrives while all slots are busy goes together in the next run.
 * There is no timer, so a lone item waits for nobody, and batches grow with the load. When a batch fails, its items
 * run alone, so that a bad one can't fail its neighbours.
 */
export function createMicroBatch<Item, Result>({
  run,
  most,
  slots,
  mostWaiting = usualMostWaiting,
  failsAll = () => false,
  hasCallers = true,
}: Options<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let busy = 0

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [at, result] of results.entries()) batch[at]?.resolve(result)
    } catch (error) {
      if (batch.length === 1 || failsAll(error)) for (const each of batch) each.reject(error)
      else for (const each of batch) await runBatch([each])
    }
  }

  function next(): void {
    while (busy < slots && waiting.length > 0) {
      busy += 1
      const batch = waiting.splice(0, most)
      if (hasCallers) callsInQueues -= batch.length
      void runBatch(batch).finally(() => {
        busy -= 1
        next()
      })
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= mostWaiting) {
        reject(new DomainError("overloaded", { retryAfterSeconds }))
        return
      }
      waiting.push({ item, resolve, reject })
      if (hasCallers) callsInQueues += 1
      if (waiting.length === 1) setImmediate(next)
    })
}
