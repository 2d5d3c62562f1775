import { assert, integer, property } from "fast-check"
import { expect, test } from "vitest"
import { type FeeRule, feeOf, grossForNet } from "./fee.ts"
import { type Cents, MAX_AMOUNT_CENTS } from "./money.ts"

const percent = (basisPoints: number): FeeRule => ({ kind: "percent", basisPoints })
const netOf = (gross: number, basisPoints: number) => gross - feeOf(percent(basisPoints), gross as Cents)

test("what is charged leaves the requested net, and a centavo less would not", () => {
  const anyAmount = integer({ min: 1, max: MAX_AMOUNT_CENTS })
  const rate = integer({ min: 0, max: 9_999 })
  assert(
    property(anyAmount, rate, (net, basisPoints) => {
      const gross = grossForNet(net as Cents, percent(basisPoints))
      if (gross === null) {
        expect(netOf(MAX_AMOUNT_CENTS, basisPoints)).toBeLessThan(net)
        return
      }
      expect(netOf(gross, basisPoints)).toBeGreaterThanOrEqual(net)
      expect(netOf(gross - 1, basisPoints)).toBeLessThan(net)
    }),
    { numRuns: 2000 },
  )
})

test("rates that people know", () => {
  expect(grossForNet(10_000 as Cents, percent(1500))).toBe(11_765)
  expect(grossForNet(10_000 as Cents, percent(0))).toBe(10_000)
  expect(grossForNet(1 as Cents, percent(10_000))).toBeNull()
  expect(grossForNet(0 as Cents, percent(1500))).toBe(0)
})

test.for([
  [10_000, 1500, 1_500],
  [3_333, 1500, 500],
  [1, 1500, 0],
  [4, 1500, 1],
  [10, 0, 0],
  [999_999_999, 10_000, 999_999_999],
  [1_010, 250, 25],
  [1_020, 250, 26],
] as const)("the fee of %d centavos at %d basis points is %d, half up", ([gross, basisPoints, fee]) => {
  expect(feeOf(percent(basisPoints), gross as Cents)).toBe(fee)
})
