interface Batches<T> {
  size: number
  /** Claims what nobody else has; fewer than `size` means that there is no more. */
  take(): Promise<T[]>
  work(item: T): Promise<void>
}

/** Batch by batch until nothing is left. One that fails stops none of its batch, and ends the run. */
export async function inBatches<T>({ size, take, work }: Batches<T>): Promise<void> {
  for (;;) {
    const taken = await take()
    const results = await Promise.allSettled(taken.map(work))
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
    if (failures.length > 0) throw new AggregateError(failures, "some of a batch failed")
    if (taken.length < size) return
  }
}
