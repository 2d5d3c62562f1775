import { setImmediate as nextTurn } from "node:timers/promises"
import { DomainError } from "./domain-error.ts"

interface Options<Item, Result> {
  /** Answers one result for each item, in their order. All or nothing: what it throws undoes the whole batch. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Items of one batch. */
  most: number
  /** Batches under way at the same time. */
  slots: number
  /** Beside one that is under way another batch starts only when it is full, or the first has taken so long. */
  patienceMs?: number
  /** Who would be behind so many is refused at once: a queue that grows without end only makes all wait in vain. */
  mostWaiting?: number
  /** Whether each item alone would fail of it too, as of a database that is away: then all fail at once. */
  failsAll?(error: unknown): boolean
  /** How many callers of a batch go on in one turn of the event loop: fewer, where what they do next takes long. */
  perTurn?: number
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
  patienceMs = 0,
  mostWaiting = usualMostWaiting,
  failsAll = () => false,
  perTurn = Number.POSITIVE_INFINITY,
  hasCallers = true,
}: Options<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let busy = 0
  let impatience: NodeJS.Timeout | undefined

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [at, result] of results.entries()) {
        if (at > 0 && at % perTurn === 0) await nextTurn()
        batch[at]?.resolve(result)
      }
    } catch (error) {
      if (batch.length === 1 || failsAll(error)) for (const each of batch) each.reject(error)
      else for (const each of batch) await runBatch([each])
    }
  }

  function start(): void {
    busy += 1
    const batch = waiting.splice(0, most)
    if (hasCallers) callsInQueues -= batch.length
    void runBatch(batch).finally(() => {
      busy -= 1
      next()
    })
  }

  function next(): void {
    const isPatient = () => busy > 0 && patienceMs > 0 && waiting.length < most
    while (busy < slots && waiting.length > 0 && !isPatient()) start()
    if (waiting.length === 0) {
      clearTimeout(impatience)
      impatience = undefined
    } else if (busy < slots) impatience ??= setTimeout(runOutOfPatience, patienceMs)
  }

  function runOutOfPatience(): void {
    impatience = undefined
    if (busy < slots && waiting.length > 0) start()
    next()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= mostWaiting) {
        reject(new DomainError("overloaded", { retryAfterSeconds }))
        return
      }
      waiting.push({ item, resolve, reject })
      if (hasCallers) callsInQueues += 1
      if (waiting.length === 1 || waiting.length === most) setImmediate(next)
    })
}
