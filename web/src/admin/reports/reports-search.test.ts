import { expect, test } from "vitest"
import { reportsSearch } from "./reports-search.ts"

test("an address asks for days of the calendar, in their order", () => {
  const whole = { startDate: "2026-11-01", endDate: "2026-11-21" }
  expect(reportsSearch(whole)).toEqual(whole)
  expect(reportsSearch({ startDate: "2026-02-30", endDate: 7 })).toEqual({ startDate: undefined, endDate: undefined })
  expect(reportsSearch({ startDate: "2026-11-21", endDate: "2026-11-01" }).endDate).toBeUndefined()
})
