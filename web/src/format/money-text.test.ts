import { parseReais } from "@tilinta/contract/vocabulary/money"
import { assert, integer, property } from "fast-check"
import { expect, test } from "vitest"
import { countOf, formatCount, formatReais, formatShort, moreThan, splitReais } from "./money-text.ts"

test("amounts read as Brazilians write them", () => {
  expect(formatReais(1234.56)).toBe("R$\u00a01.234,56")
  expect(formatReais(0)).toBe("R$\u00a00,00")
  expect(formatReais(9_999_999.99)).toBe("R$\u00a09.999.999,99")
})

test("a large amount is drawn from its three parts", () => {
  expect(splitReais(1234.5)).toEqual({ symbol: "R$", whole: "1.234", cents: "50" })
  expect(splitReais(0.01)).toEqual({ symbol: "R$", whole: "0", cents: "01" })
  expect(splitReais(-12)).toEqual({ symbol: "−R$", whole: "12", cents: "00" })
})

test.each([
  ["1.234,56", 1234.56],
  ["1234.56", 1234.56],
  ["1,234.56", 1234.56],
  ["R$ 1.234,56", 1234.56],
  ["R$\u00a01.234,56", 1234.56],
  ["1.234.567,89", 1234567.89],
  ["1234", 1234],
  ["1.234", 1234],
  ["1,5", 1.5],
  ["1.5", 1.5],
  ["12,", 12],
  [",50", 0.5],
  ["0", 0],
])("'%s' is an amount", (text, reais) => {
  expect(parseReais(text)).toBe(reais)
})

test.each(["", "   ", "R$", "abc", "1,234", "1234.567", "1..2", "1,2,3", "-5", "12a", "1.23.456", ",", "1e3"])(
  "'%s' is not an amount",
  (text) => {
    expect(parseReais(text)).toBeNull()
  },
)

test("what is shown can be read back, whatever the amount", () => {
  assert(
    property(integer({ min: 0, max: 999_999_999 }), (cents) => {
      expect(parseReais(formatReais(cents / 100))).toBe(cents / 100)
    }),
  )
})

test("every amount of centavos reads as Intl writes it", () => {
  const format = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })
  assert(
    property(integer({ min: -100_000_000_000, max: 100_000_000_000 }), (cents) => {
      expect(formatReais(cents / 100)).toBe(format.format(cents / 100).replace("-", "−"))
    }),
  )
})

test("large numbers take little room", () => {
  expect(formatShort(950)).toBe("950")
  expect(formatShort(1500)).toMatch(/^1,5\smil$/)
})

test("thousands are grouped, and one is one", () => {
  expect(formatCount(12_345)).toBe("12.345")
  expect(countOf(1, "pagamento", "pagamentos")).toBe("1 pagamento")
  expect(countOf(0, "pagamento", "pagamentos")).toBe("0 pagamentos")
})

test("what is not counted further is more than that", () => {
  expect(moreThan(10_000)).toBe("mais de 10.000")
})
