import { assert, constantFrom, date, integer, property } from "fast-check"
import { describe, expect, test } from "vitest"
import { cycleDayOf, subscriptionPeriods } from "./subscriptions.ts"

const firstOnes = (period: (typeof subscriptionPeriods)[number], from: string, count: number) =>
  Array.from({ length: count }, (_, position) => cycleDayOf(period, from, position))

describe("the due days of a subscription", () => {
  test("the 31st is the last day of a short month, and the 31st again", () => {
    expect(firstOnes("monthly", "2027-12-31", 5)).toEqual([
      "2027-12-31",
      "2028-01-31",
      "2028-02-29",
      "2028-03-31",
      "2028-04-30",
    ])
  })

  test("29 February is the 28th in other years", () => {
    expect(firstOnes("yearly", "2028-02-29", 5)).toEqual([
      "2028-02-29",
      "2029-02-28",
      "2030-02-28",
      "2031-02-28",
      "2032-02-29",
    ])
  })

  test("each period", () => {
    expect(firstOnes("weekly", "2026-12-28", 3)).toEqual(["2026-12-28", "2027-01-04", "2027-01-11"])
    expect(firstOnes("quarterly", "2026-11-30", 3)).toEqual(["2026-11-30", "2027-02-28", "2027-05-30"])
    expect(firstOnes("half_yearly", "2026-08-31", 3)).toEqual(["2026-08-31", "2027-02-28", "2027-08-31"])
  })

  const anyDay = date({ min: new Date("2020-01-01"), max: new Date("2060-01-01"), noInvalidDate: true })

  test("they only grow, and never leave the day of the month but for the last one of a shorter one", () => {
    assert(
      property(
        constantFrom(...subscriptionPeriods),
        anyDay,
        integer({ min: 0, max: 300 }),
        (period, first, position) => {
          const firstDay = first.toISOString().slice(0, 10)
          const day = cycleDayOf(period, firstDay, position)
          expect(cycleDayOf(period, firstDay, position + 1) > day).toBe(true)
          if (period === "weekly") return
          const [year = 0, month = 0, date = 0] = day.split("-").map(Number)
          const lastOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
          expect(date).toBe(Math.min(Number(firstDay.slice(8)), lastOfMonth))
        },
      ),
    )
  })
})
