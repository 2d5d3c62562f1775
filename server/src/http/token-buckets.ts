import type { Clock } from "#kit/clock"
import { createRecentMap } from "#kit/recent-map"

interface Limits {
  burst: number
  perSecond: number
  /** Beyond so many keys those that were idle longest are forgotten: the memory has a bound. */
  keys: number
}

interface Bucket {
  tokens: number
  atMs: number
}

/** Takes a token of the key's bucket. Answers the seconds to wait for the next one, 0 when there was one. */
export function createTokenBuckets({ burst, perSecond, keys }: Limits, clock: Clock) {
  const buckets = createRecentMap<string, Bucket>(keys)

  return function take(key: string): number {
    const atMs = clock.now().getTime()
    const bucket = buckets.get(key)
    if (bucket === undefined) {
      buckets.set(key, { tokens: burst - 1, atMs })
      return 0
    }
    const tokens = Math.min(burst, bucket.tokens + (Math.max(0, atMs - bucket.atMs) / 1000) * perSecond)
    bucket.tokens = tokens < 1 ? tokens : tokens - 1
    bucket.atMs = atMs
    return tokens < 1 ? (1 - tokens) / perSecond : 0
  }
}
