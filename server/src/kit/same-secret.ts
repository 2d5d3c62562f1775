import { timingSafeEqual } from "node:crypto"

/** Takes constant time for values of equal length; the length of ours is no secret. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
