import { expect, test } from "vitest"
import { createRecentMap } from "./caches.ts"

test("used keys stay, unused ones are dropped, and the size is bounded", () => {
  const map = createRecentMap<number, number>(10)
  for (let key = 1; key <= 1_000; key += 1) {
    map.set(key, key)
    expect(map.get(0)).toBe(key === 1 ? undefined : 0)
    map.set(0, 0)
  }
  const left = Array.from({ length: 1_001 }, (_, key) => key).filter((key) => map.get(key) !== undefined)
  expect(left.length).toBeLessThanOrEqual(10)
  expect(left).toContain(1_000)
})

test("the last word about a key is what is read", () => {
  const map = createRecentMap<string, number>(4)
  map.set("a", 1)
  for (const key of ["b", "c"]) map.set(key, 0)
  map.set("a", 2)
  expect(map.get("a")).toBe(2)
  map.set("a", 3)
  for (const key of ["d", "e"]) map.set(key, 0)
  expect(map.get("a")).toBe(3)
})
