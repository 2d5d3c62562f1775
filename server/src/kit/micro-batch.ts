import { setImmediate as nextTurn } from "node:timers/promises"
import { createWaitingLine, type Deadlines, isOverloaded } from "./waiting-line.ts"

interface Options<Item, Result> {
  /** Returns one result per item, in order. All or nothing: when it throws, the whole batch fails. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Most items of one batch. */
  most: number
  /** Batches that run at the same time. */
  slots: number
  /** While a batch is running, the next starts only when full or after this many milliseconds. */
  patienceMs?: number
  /** After a batch of several callers, the next starts only when full or after this many milliseconds, so that more share it. */
  spacingMs?: number
  /** Callers beyond this queue length are refused at once; an unbounded queue would only delay everyone. */
  mostWaiting?: number
  /**
   * True for errors that each item would meet alone too, such as a lost database: then all fail without being tried
   * singly, as they do after a refusal for overload.
   */
  failsAll?(error: unknown): boolean
  /** Callers resolved per event-loop turn; lower it when their continuation takes long. */
  perTurn?: number
  /**
   * `new` callers have a deadline, `admitted` ones none, because a refusal would waste what was done for them before.
   * Both count towards `callsWaiting`; jobs have no callers.
   */
  callers?: "new" | "admitted" | "none"
}

const usualMostWaiting = 5_000
const noDeadlines: Deadlines = { calmMs: Number.POSITIVE_INFINITY, pressedMs: Number.POSITIVE_INFINITY }
let callsInQueues = 0

/** Calls of all batches of this process that wait for a slot. */
export function callsWaiting(): number {
  return callsInQueues
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Micro-batching: one call per item, few runs for many. Items that arrive while all slots are busy share the next run.
 * A lone item never waits, and batches grow with the load. When a batch fails, its items run
 * singly, so that a bad one can't fail its neighbours.
 */
export function createMicroBatch<Item, Result>({
  run,
  most,
  slots,
  patienceMs = 0,
  spacingMs = 0,
  mostWaiting = usualMostWaiting,
  failsAll = () => false,
  perTurn = Number.POSITIVE_INFINITY,
  callers = "new",
}: Options<Item, Result>): (item: Item) => Promise<Result> {
  const waiting = createWaitingLine<Waiting<Item, Result>>({
    mostWaiting,
    ...(callers !== "new" && { deadlines: noDeadlines }),
    refuse({ reject }, error) {
      countWaiting(-1)
      reject(error)
    },
  })
  const pace = createPace(patienceMs, spacingMs)
  let busy = 0
  let timer: NodeJS.Timeout | undefined

  function countWaiting(change: number): void {
    if (callers !== "none") callsInQueues += change
  }

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      void hand(batch, results)
    } catch (error) {
      if (batch.length === 1 || failsAll(error) || isOverloaded(error)) for (const each of batch) each.reject(error)
      else for (const each of batch) await runBatch([each])
    }
  }

  /** Holds no slot: the next batch runs meanwhile. */
  async function hand(batch: readonly Waiting<Item, Result>[], results: readonly Result[]): Promise<void> {
    for (const [at, result] of results.entries()) {
      if (at > 0 && at % perTurn === 0) await nextTurn()
      batch[at]?.resolve(result)
    }
  }

  function start(): void {
    busy += 1
    const batch = waiting.take(most)
    pace.noteStart(batch.length)
    countWaiting(-batch.length)
    void runBatch(batch).finally(() => {
      busy -= 1
      next()
    })
  }

  function next(): void {
    clearTimeout(timer)
    while (busy < slots && waiting.length() > 0) {
      const ms = waiting.length() < most ? pace.pauseMs(busy > 0) : 0
      if (ms > 0) {
        timer = setTimeout(next, ms)
        return
      }
      start()
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      countWaiting(1)
      waiting.add({ item, resolve, reject })
      if (waiting.length() === 1) pace.noteWaiting()
      if (waiting.length() === 1 || waiting.length() === most) setImmediate(next)
    })
}

/** Says when the next batch may start, unless it is full. */
function createPace(patienceMs: number, spacingMs: number) {
  let waitingSinceMs = 0
  let nextFromMs = 0

  function noteWaiting(): void {
    waitingSinceMs = performance.now()
  }

  return {
    noteWaiting,
    /** A batch of one delays nobody. */
    noteStart(callers: number): void {
      noteWaiting()
      if (callers > 1) nextFromMs = waitingSinceMs + spacingMs
    },
    pauseMs(isBusy: boolean): number {
      const fromMs = isBusy ? Math.max(nextFromMs, waitingSinceMs + patienceMs) : nextFromMs
      return fromMs - performance.now()
    },
  }
}

interface Batches<T> {
  size: number
  /** Claims items that no other process has claimed; fewer than `size` means that none are left. */
  take(): Promise<T[]>
  work(item: T): Promise<void>
}

/** Works batch by batch until nothing is left. A failed item stops none of its batch, but ends the run. */
export async function inBatches<T>({ size, take, work }: Batches<T>): Promise<void> {
  for (;;) {
    const taken = await take()
    const results = await Promise.allSettled(taken.map(work))
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
    if (failures.length > 0) throw new AggregateError(failures, "some of a batch failed")
    if (taken.length < size) return
  }
}
