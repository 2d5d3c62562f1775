import { array, assert, boolean, integer, property, record } from "fast-check"
import { expect, test } from "vitest"
import { addCents, type Cents, feeShareOf, noMoney, subtractCents } from "./money.ts"

const cents = (value: number) => value as Cents
const nothing = { grossCents: noMoney, feeCents: noMoney }

const payment = record({
  grossCents: integer({ min: 1, max: 999_999_999 }),
  feePerTenThousand: integer({ min: 0, max: 10_000 }),
}).map(({ grossCents, feePerTenThousand }) => ({
  grossCents: cents(grossCents),
  feeCents: cents(Math.floor((grossCents * feePerTenThousand + 5_000) / 10_000)),
}))

test.for([
  [10_000, 1_500, 10_000, 1_500],
  [10_000, 1_500, 3_333, 500],
  [100, 15, 1, 0],
  [100, 50, 1, 1],
  [999_999_999, 999_999_999, 999_999_998, 999_999_998],
  [999_999_999, 149_999_999, 333_333_333, 50_000_000],
] as const)("of %d with a fee of %d, %d goes back with a fee of %d", ([gross, fee, amount, share]) => {
  expect(feeShareOf(cents(amount), { grossCents: cents(gross), feeCents: cents(fee) }, nothing)).toBe(share)
})

// A refund may be refused later, which frees its part again: in any order the shares must add up to the whole fee.
test("P18: the parts of a whole refund add up to the whole fee, and none exceeds its amount or is below zero", () => {
  const steps = array(record({ part: integer({ min: 1, max: 1_000 }), isRefused: boolean() }), { maxLength: 30 })
  assert(
    property(payment, steps, (paid, plan) => {
      const live: { grossCents: Cents; feeCents: Cents }[] = []
      const returned = () =>
        live.reduce(
          (sum, each) => ({
            grossCents: addCents(sum.grossCents, each.grossCents),
            feeCents: addCents(sum.feeCents, each.feeCents),
          }),
          nothing,
        )
      const refund = (amount: Cents) => {
        const share = feeShareOf(amount, paid, returned())
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(amount)
        live.push({ grossCents: amount, feeCents: share })
      }
      for (const { part, isRefused } of plan) {
        if (isRefused) live.splice(part % (live.length + 1), 1)
        const left = subtractCents(paid.grossCents, returned().grossCents)
        const amount = cents(Math.ceil((left * part) / 1_000))
        if (amount > 0) refund(amount)
      }
      const last = subtractCents(paid.grossCents, returned().grossCents)
      if (last > 0) refund(last)
      expect(returned()).toEqual(paid)
    }),
    { numRuns: 500 },
  )
})

test("a single refund's part is the half-up share of the fee", () => {
  assert(
    property(payment, integer({ min: 1, max: 1_000 }), (paid, part) => {
      const amount = cents(Math.ceil((paid.grossCents * part) / 1_000))
      const exact =
        (BigInt(paid.feeCents) * BigInt(amount) * 2n + BigInt(paid.grossCents)) / (BigInt(paid.grossCents) * 2n)
      expect(feeShareOf(amount, paid, nothing)).toBe(Number(exact))
    }),
  )
})
