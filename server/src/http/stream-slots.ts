import { DomainError } from "#kit/domain-error"

const RETRY_SECONDS = 30

interface StreamSlots {
  /** Returns the function that releases the place, which may be called twice. */
  take(holder: string): () => void
}

/** Limits the streams of one user or address in this process, and of all, so that nobody takes all connections. */
export function createStreamSlots(perHolder: number, inAll = Number.POSITIVE_INFINITY): StreamSlots {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(holder) {
      const before = taken.get(holder) ?? 0
      if (before >= perHolder || all >= inAll)
        throw new DomainError("too_many_requests", { retryAfterSeconds: RETRY_SECONDS })
      taken.set(holder, before + 1)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        const left = (taken.get(holder) ?? 1) - 1
        if (left === 0) taken.delete(holder)
        else taken.set(holder, left)
      }
    },
  }
}
