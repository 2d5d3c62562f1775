import { assert, integer, property } from "fast-check"
import { expect, test } from "vitest"
import { type Cents, feeFromGross, grossForNet, MAX_AMOUNT_CENTS } from "./money.ts"

const netOf = (gross: number, basisPoints: number) => gross - feeFromGross(gross as Cents, basisPoints)

test("what is charged leaves what was wished for, and a centavo less would not", () => {
  const wish = integer({ min: 1, max: MAX_AMOUNT_CENTS })
  const rate = integer({ min: 0, max: 9_999 })
  assert(
    property(wish, rate, (net, basisPoints) => {
      const gross = grossForNet(net as Cents, basisPoints)
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
  expect(grossForNet(10_000 as Cents, 1500)).toBe(11_765)
  expect(grossForNet(10_000 as Cents, 0)).toBe(10_000)
  expect(grossForNet(1 as Cents, 10_000)).toBeNull()
  expect(grossForNet(0 as Cents, 1500)).toBe(0)
})
