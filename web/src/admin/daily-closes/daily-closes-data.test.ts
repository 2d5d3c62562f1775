import { expect, test } from "vitest"
import { dayLabel, differencesLabel, inTransit, parseBalance, stateLabel } from "./daily-closes-data.ts"

test("days, counts and states read as people say them", () => {
  expect(dayLabel("2026-11-03")).toBe("03/11/2026")
  expect([differencesLabel(1), differencesLabel(0), differencesLabel(1200)]).toEqual([
    "1 diferença",
    "Saldo diferente",
    "1.200 diferenças",
  ])
  expect([stateLabel("under-way"), stateLabel(null), stateLabel("algo_novo")]).toEqual([
    "em andamento",
    "não consta",
    "algo_novo",
  ])
})

test("what is under way makes up for the rest between both balances", () => {
  const balance = { at: "2026-11-28T03:20:00.000Z", bank: 52_232.33, ours: 52_479.83, typed: false }
  expect(inTransit({ ...balance, difference: 0 })).toBe(-247.5)
  expect(inTransit({ ...balance, difference: -247.5 })).toBe(0)
})

test.each([
  ["0", 0],
  ["-0,00", 0],
  ["R$ 1.234,56", 1234.56],
  ["−35,00", -35],
  ["-R$ 35,00", -35],
  ["R$ -35", -35],
  ["– 0,10", -0.1],
  ["12.345.678,90", 12_345_678.9],
  ["999999999999,99", 999_999_999_999.99],
])("the balance %s is read as it stands", (text, reais) => {
  expect(parseBalance(text)).toBe(reais)
})

test.each(["", "-", "--5", "5-", "trinta", "1,234"])("%o is no balance", (text) => {
  expect(parseBalance(text)).toBeNull()
})
