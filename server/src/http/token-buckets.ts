import type { Clock } from "#kit/clock"

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
  const buckets = new Map<string, Bucket>()

  return function take(key: string): number {
    const atMs = clock.now().getTime()
    const tokens = refilled(buckets.get(key), atMs)
    // Set anew, so that the map's order is that of the last use.
    buckets.delete(key)
    const [idlest] = buckets.keys()
    if (buckets.size >= keys && idlest !== undefined) buckets.delete(idlest)
    buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, atMs })
    return tokens < 1 ? (1 - tokens) / perSecond : 0
  }

  function refilled(bucket: Bucket | undefined, atMs: number): number {
    if (bucket === undefined) return burst
    return Math.min(burst, bucket.tokens + (Math.max(0, atMs - bucket.atMs) / 1000) * perSecond)
  }
}
