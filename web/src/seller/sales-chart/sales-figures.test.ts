import { expect, test } from "vitest"
import { dayLabel, growthOf, netOf, shareOf } from "./sales-figures.ts"

const sold = (net: number) => ({ day: "2026-11-21", count: 1, gross: net, net })

test("sums are exact to the centavo", () => {
  expect(netOf([sold(0.1), sold(0.2)])).toBe(0.3)
  expect(netOf([])).toBe(0)
})

test("growth from nothing has no percentage", () => {
  expect(growthOf(150, 100)).toBe(0.5)
  expect(growthOf(0, 100)).toBe(-1)
  expect(growthOf(100, 0)).toBeNull()
})

test("days read as people write them", () => {
  expect(dayLabel("2026-11-05", false)).toBe("05/11")
  expect(dayLabel("2026-11-05", true)).toBe("Hoje")
})

test("a bar is never longer than its place, and something is never invisible", () => {
  expect(shareOf(120, 100)).toBe(1)
  expect(shareOf(1, 10_000)).toBe(0.02)
  expect(shareOf(0, 10)).toBe(0)
  expect(shareOf(3, 0)).toBe(0)
})
