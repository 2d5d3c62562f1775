import { percentFee } from "@tilinta/contract/vocabulary/fee"
import { expect, test } from "vitest"
import { breakdownOf, feeRuleFrom, feeText } from "./fee-card.tsx"

test("zero is a rate, nonsense is the default", () => {
  expect(feeRuleFrom(0)).toEqual(percentFee(0))
  expect(feeRuleFrom("7.5")).toEqual(percentFee(7.5))
  expect(feeRuleFrom("")).toEqual(percentFee(15))
  expect(feeRuleFrom(undefined)).toEqual(percentFee(15))
  expect(feeRuleFrom(true)).toEqual(percentFee(15))
})

test("fee and net add up to the gross, to the centavo", () => {
  expect(breakdownOf(349.9, percentFee(15))).toEqual({ gross: 349.9, fee: 52.49, net: 297.41 })
  expect(breakdownOf(null, percentFee(15))).toEqual({ gross: 0, fee: 0, net: 0 })
  expect(breakdownOf(0.01, percentFee(15))).toEqual({ gross: 0.01, fee: 0, net: 0.01 })
})

test("a percentage is written as people write it", () => {
  expect(feeText(percentFee(15))).toBe("15%")
  expect(feeText(percentFee(7.5))).toBe("7,5%")
})
