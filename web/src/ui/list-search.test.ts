import { expect, test } from "vitest"
import { daysOf } from "#format/dates.ts"
import { hasPeriod, periodOf } from "./list-search.ts"

test("a named period is read anew each day", () => {
  const search = periodOf({ period: "7d", dateFrom: "2020-01-01" })
  expect(search).toEqual({ period: "7d", dateFrom: undefined, dateTo: undefined })
  expect(daysOf(search, "2026-11-21")).toEqual({ dateFrom: "2026-11-15", dateTo: "2026-11-21" })
  expect(daysOf(search, "2026-11-22")).toEqual({ dateFrom: "2026-11-16", dateTo: "2026-11-22" })
})

test("one day of a range may be missing", () => {
  const search = periodOf({ dateFrom: "2026-11-01" })
  expect(hasPeriod(search)).toBe(true)
  expect(daysOf(search, "2026-11-21")).toEqual({ dateFrom: "2026-11-01" })
})

test("nonsense in the address is no period", () => {
  expect(hasPeriod(periodOf({ period: "always", dateFrom: "ontem", dateTo: 7 }))).toBe(false)
  expect(periodOf({ dateFrom: "2026-11-21", dateTo: "2026-11-01" })).toEqual({
    period: undefined,
    dateFrom: "2026-11-21",
    dateTo: undefined,
  })
})
