/** Lets nobody pass until everybody is there, and what happens then is over. */
export interface Barrier {
  arrive(): Promise<void>
  /** Whoever won't come is not waited for. */
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
