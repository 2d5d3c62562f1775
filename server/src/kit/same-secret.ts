import { timingSafeEqual } from "node:crypto"

/** In constant time for all that is as long; how long ours are is no secret. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
