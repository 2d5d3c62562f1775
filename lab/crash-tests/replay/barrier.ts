/** A barrier: everybody waits until all have arrived and `happen` is done. */
export interface Barrier {
  arrive(): Promise<void>
  /** Lowers the count by one that won't arrive. */
  leave(): void
}

export function createBarrier(count: number, happen: () => Promise<void>): Barrier {
  const opened = Promise.withResolvers<void>()
  opened.promise.catch(() => undefined)
  let missing = count

  let isAnybodyThere = false

  function countDown(): void {
    missing -= 1
    if (missing === 0 && isAnybodyThere) happen().then(opened.resolve, opened.reject)
  }
  return {
    arrive() {
      isAnybodyThere = true
      countDown()
      return opened.promise
    },
    leave: countDown,
  }
}
