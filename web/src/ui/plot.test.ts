import { expect, test } from "vitest"
import { heightsUpTo, placesBetween } from "./plot.tsx"

test.each([
  [891.44, [0, 200, 400, 600, 800, 1000]],
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [1000, [0, 200, 400, 600, 800, 1000]],
  [9_999_999.99, [0, 2_000_000, 4_000_000, 6_000_000, 8_000_000, 10_000_000]],
  [35, [0, 10, 20, 30, 40]],
])("an axis up to %s has round steps and holds it", (most, ticks) => {
  const heights = heightsUpTo(most, 200, 0, 4)
  expect(heights.ticks).toEqual(ticks)
  expect(heights.at(0)).toBe(200)
  expect(heights.at(ticks.at(-1) ?? 0)).toBeCloseTo(0)
  expect(heights.at(most)).toBeGreaterThanOrEqual(0)
})

test("places fill the axis evenly, with half a gap around", () => {
  const { startOf, step, width } = placesBetween(10, 110, 4, { between: 0.5, around: 0.25 })
  expect([startOf(0), startOf(3) + width, step, width]).toEqual([16.25, 103.75, 25, 12.5])
  expect(placesBetween(0, 0, 0, { between: 0.5, around: 0.25 }).width).toBe(0)
})
