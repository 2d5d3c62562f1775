import { DomainError } from "#kit/domain-error"

const RETRY_SECONDS = 30

interface StreamSlots {
  /** Returns the function that releases the place, which may be called twice. */
  take(userId: string): () => void
}

/** Limits the streams of one user in this process, so that nobody takes all connections. */
export function createStreamSlots(perUser: number): StreamSlots {
  const taken = new Map<string, number>()
  return {
    take(userId) {
      const before = taken.get(userId) ?? 0
      if (before >= perUser) throw new DomainError("too_many_requests", { retryAfterSeconds: RETRY_SECONDS })
      taken.set(userId, before + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (taken.get(userId) ?? 1) - 1
        if (left === 0) taken.delete(userId)
        else taken.set(userId, left)
      }
    },
  }
}
