import { expect, test } from "vitest"
import { isId, newId, newShortId } from "./ids.ts"

test("ids grow in the order in which they were made, also within a millisecond, and none comes twice", () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(ids.every(isId)).toBe(true)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  // Consecutive ids may share their counter only: the rest must be random.
  expect(new Set(ids.map((id) => id.slice(-8))).size).toBeGreaterThan(ids.length * 0.99)
})

test("short ids are 16 characters for a header or a log, and none comes twice, also past the end of the pool", () => {
  const ids = Array.from({ length: 20_000 }, newShortId)
  for (const id of ids) expect(id).toMatch(/^[\w-]{16}$/)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [at, end] of [
    [0, 8],
    [8, 16],
  ]) {
    expect(new Set(ids.map((id) => id.slice(at, end))).size).toBeGreaterThan(ids.length * 0.99)
  }
})
