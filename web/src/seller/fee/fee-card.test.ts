import { expect, test } from "vitest"
import { breakdownOf, feePercentageFrom, formatPercentage } from "./fee-card.tsx"

test("zero is a rate, nonsense is the default", () => {
  expect(feePercentageFrom(0)).toBe(0)
  expect(feePercentageFrom("7.5")).toBe(7.5)
  expect(feePercentageFrom("")).toBe(15)
  expect(feePercentageFrom(undefined)).toBe(15)
  expect(feePercentageFrom(true)).toBe(15)
})

test("fee and net add up to the gross, to the centavo", () => {
  expect(breakdownOf(349.9, 15)).toEqual({ gross: 349.9, fee: 52.49, net: 297.41 })
  expect(breakdownOf(null, 15)).toEqual({ gross: 0, fee: 0, net: 0 })
  expect(breakdownOf(0.01, 15)).toEqual({ gross: 0.01, fee: 0, net: 0.01 })
})

test("a percentage is written as people write it", () => {
  expect(formatPercentage(15)).toBe("15%")
  expect(formatPercentage(7.5)).toBe("7,5%")
})
