import { assert, integer, property } from "fast-check"
import { expect, test } from "vitest"
import { type Cents, centsFromPixValue, centsFromReais, isReais, pixValueFromCents, reaisFromCents } from "./money.ts"

const anyCents = integer({ min: 0, max: 999_999_999 })

test("centavos survive the way to reais and back", () => {
  assert(property(anyCents, (cents) => void expect(centsFromReais(reaisFromCents(cents as Cents))).toBe(cents)))
})

test("centavos survive the way to the provider's text and back", () => {
  assert(property(anyCents, (cents) => void expect(centsFromPixValue(pixValueFromCents(cents as Cents))).toBe(cents)))
})

test.for([10.005, 0.001, 1e-7, 10.999, Number.NaN, Number.POSITIVE_INFINITY, 1.005])("%d isn't an amount", (value) => {
  expect(isReais(value)).toBe(false)
  expect(() => centsFromReais(value)).toThrow(RangeError)
})

test.for([
  [10.1, 1010],
  [0.29, 29],
  [1.15, 115],
  [4.35, 435],
  [1e1, 1000],
  [9_999_999.99, 999_999_999],
] as const)("R$ %d is %d centavos", ([reais, cents]) => {
  expect(centsFromReais(reais)).toBe(cents)
})

test.for(["1e2", "1,00", "-5.00", "10.0", "10", "", "0x10.00", " 1.00", "12345678901.00"])(
  "the provider's value %j is refused",
  (value) => {
    expect(centsFromPixValue(value)).toBeNull()
  },
)
