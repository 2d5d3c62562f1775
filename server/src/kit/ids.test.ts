import { expect, test } from "vitest"
import { isId, newId } from "./ids.ts"

test("ids grow in the order in which they were made, also within a millisecond, and none comes twice", () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(ids.every(isId)).toBe(true)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  // Consecutive ids may share their counter only: the rest must be random.
  expect(new Set(ids.map((id) => id.slice(-8))).size).toBeGreaterThan(ids.length * 0.99)
})
