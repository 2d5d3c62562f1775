interface Options<Item, Result> {
  /** Answers one result for each item, in their order. All or nothing: what it throws undoes the whole batch. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Items of one batch. */
  most: number
  /** Batches under way at the same time. */
  slots: number
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
}: Options<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let busy = 0

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [at, result] of results.entries()) batch[at]?.resolve(result)
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const each of batch) await runBatch([each])
    }
  }

  function next(): void {
    while (busy < slots && waiting.length > 0) {
      busy += 1
      void runBatch(waiting.splice(0, most)).finally(() => {
        busy -= 1
        next()
      })
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length === 1) setImmediate(next)
    })
}
