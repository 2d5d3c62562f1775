import { array, assert, boolean, integer, property, record } from "fast-check"
import { expect, test } from "vitest"
import { addCents, type Cents, feeShareOf, noMoney, subtractCents } from "./money.ts"

const cents = (value: number) => value as Cents
const nothing = { grossCents: noMoney, feeCents: noMoney }

interface Part {
  grossCents: Cents
  feeCents: Cents
}

function sumOf(parts: readonly Part[]): Part {
  return parts.reduce<Part>(
    (sum, part) => ({
      grossCents: addCents(sum.grossCents, part.grossCents),
      feeCents: addCents(sum.feeCents, part.feeCents),
    }),
    nothing,
  )
}

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
      const live: Part[] = []
      const returned = () => sumOf(live)
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

/** Every set of refunds that any order of asking and refusing can leave of a payment. */
function everySetOfRefunds(paid: Part): Part[][] {
  const nameOf = (parts: readonly Part[]) => JSON.stringify(parts)
  const found = new Map<string, Part[]>([[nameOf([]), []]])
  for (const parts of found.values()) {
    const { grossCents: back } = sumOf(parts)
    const refused = parts.map((_part, at) => parts.toSpliced(at, 1))
    const asked = Array.from({ length: paid.grossCents - back }, (_, index) => {
      const grossCents = cents(index + 1)
      const part = { grossCents, feeCents: feeShareOf(grossCents, paid, sumOf(parts)) }
      return [...parts, part].toSorted((a, b) => a.grossCents - b.grossCents || a.feeCents - b.feeCents)
    })
    for (const next of [...refused, ...asked]) if (!found.has(nameOf(next))) found.set(nameOf(next), next)
  }
  return [...found.values()]
}

// Whole fees and whole amounts of a few centavos: each rounding weighs most there, and a fee near 100 % leaves it no space.
test("whatever is asked for and refused of a small payment, no part of a fee is negative or above its amount", () => {
  for (let gross = 1; gross <= 6; gross += 1) {
    for (let fee = 0; fee <= gross; fee += 1) {
      const paid = { grossCents: cents(gross), feeCents: cents(fee) }
      const sets = everySetOfRefunds(paid)
      const parts = sets.flat()
      expect(parts.filter(({ grossCents, feeCents }) => feeCents < 0 || feeCents > grossCents)).toEqual([])
      const sums = sets.map(sumOf)
      expect(sums.filter(({ grossCents, feeCents }) => fee - feeCents > gross - grossCents)).toEqual([])
      expect(sums.filter(({ grossCents, feeCents }) => grossCents === gross && feeCents !== fee)).toEqual([])
    }
  }
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
