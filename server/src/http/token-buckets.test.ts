import { expect, test } from "vitest"
import { createTokenBuckets } from "./rate-limits.ts"

function bucketsWithClock(limits: Parameters<typeof createTokenBuckets>[0]) {
  let nowMs = 0
  const buckets = createTokenBuckets(limits, { now: () => new Date(nowMs) })
  const take = (key: string) => buckets.takeFrom(buckets.of(key))
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { take, pass }
}

test("the burst passes, then so many per second, and the wait is returned", () => {
  const { take, pass } = bucketsWithClock({ burst: 3, perSecond: 2, keys: 10 })
  expect([take("a"), take("a"), take("a"), take("a")]).toEqual([0, 0, 0, 0.5])
  pass(500)
  expect([take("a"), take("a")]).toEqual([0, 0.5])
})

test("a bucket never holds more than its burst", () => {
  const { take, pass } = bucketsWithClock({ burst: 2, perSecond: 2, keys: 10 })
  take("a")
  pass(3_600_000)
  expect([take("a"), take("a"), take("a")]).toEqual([0, 0, 0.5])
})

test("one key's abuse costs no other key anything", () => {
  const { take } = bucketsWithClock({ burst: 1, perSecond: 1, keys: 10 })
  for (let i = 0; i < 100; i++) take("abuser")
  expect([take("abuser"), take("payer")]).toEqual([1, 0])
})

test("of more keys than there may be the idlest is forgotten", () => {
  const { take } = bucketsWithClock({ burst: 1, perSecond: 1, keys: 2 })
  for (const key of ["a", "b", "a", "c"]) take(key)
  expect([take("a"), take("b")]).toEqual([1, 0])
})
