import { expect, test } from "vitest"
import { amountText, naturalAmount } from "./accounts-data.ts"

const text = (...given: Parameters<typeof amountText>) => amountText(...given).replaceAll(/\s/g, " ")

test("money in the bank and debts of sellers are positive, though debits put them there", () => {
  expect(text("bank", -42_225.9, false)).toBe("R$ 42.225,90")
  expect(text("seller_debt", -2, false)).toBe("R$ 2,00")
  expect(text("seller_available", 85, false)).toBe("R$ 85,00")
  expect(text("tariffs", -0.3, false)).toBe("−R$ 0,30")
  expect(naturalAmount("bank", 0)).toBe(0)
})

test("accountants see each amount with its side", () => {
  expect([text("bank", -42, true), text("fees", 15, true), text("capital", 0, true)]).toEqual([
    ...["R$ 42,00 D", "R$ 15,00 C", "R$ 0,00"],
  ])
})
