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
