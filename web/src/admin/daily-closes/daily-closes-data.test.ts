import { expect, test } from "vitest"
import { dayLabel, differencesLabel, stateLabel } from "./daily-closes-data.ts"

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
