import type { Clock } from "#kit/clock"
import { createRecentMap } from "#kit/recent-map"

export interface Limits {
  burst: number
  perSecond: number
  /** A bound on memory: beyond this many keys the least recently used are dropped. */
  keys: number
}

export interface Bucket {
  tokens: number
  atMs: number
}

interface TokenBuckets {
  /** The key's bucket; a full one for a new key. */
  of(key: string): Bucket
  /** Takes a token. Returns the seconds until the next one, 0 when there was one. */
  takeFrom(bucket: Bucket): number
  /** Returns a token that bought nothing. */
  giveBackTo(bucket: Bucket): void
}

export function createTokenBuckets({ burst, perSecond, keys }: Limits, clock: Clock): TokenBuckets {
  const buckets = createRecentMap<string, Bucket>(keys)

  return {
    of(key) {
      const known = buckets.get(key)
      if (known !== undefined) return known
      const full = { tokens: burst, atMs: clock.now().getTime() }
      buckets.set(key, full)
      return full
    },
    takeFrom(bucket) {
      const atMs = clock.now().getTime()
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, atMs - bucket.atMs) / 1000) * perSecond)
      bucket.tokens = tokens < 1 ? tokens : tokens - 1
      bucket.atMs = atMs
      return tokens < 1 ? (1 - tokens) / perSecond : 0
    },
    giveBackTo(bucket) {
      bucket.tokens += 1
    },
  }
}
