import type { SummaryReport } from "@tilinta/contract/reports"
import { expect, test } from "vitest"
import {
  dayLabel,
  daysOf,
  monthLabel,
  monthsOf,
  topUsersQuery,
  wholeDayLabel,
  wholeMonthLabel,
} from "./reports-data.ts"

test("the best of a period need both of its days, else it is the month that runs", () => {
  const days = { startDate: "2026-11-01", endDate: "2026-11-21" }
  expect(topUsersQuery(days).queryKey).toContainEqual({ period: "custom", ...days })
  expect(topUsersQuery({ ...days, endDate: undefined }).queryKey).toContainEqual({ period: "month" })
})

const nothing = { count: 0, paidCount: 0, grossAmount: 0, netAmount: 0 }

function report(counts: number[], amounts: number[]): SummaryReport {
  return {
    period: { startDate: null, endDate: "2026-11-21" },
    days: counts.map((count, index) => ({ ...nothing, day: `2026-11-${String(index + 1).padStart(2, "0")}`, count })),
    months: amounts.map((grossAmount, index) => ({ ...nothing, month: `2026-${index + 1}`, grossAmount })),
    paymentMethods: [],
  }
}

test("of a long period the last seven days are shown", () => {
  const shown = daysOf(report([9, 0, 0, 0, 0, 0, 0, 0, 3], []))
  expect([shown.length, shown[0]?.day, shown.at(-1)?.count]).toEqual([7, "2026-11-03", 3])
})

test("a period that began before the first transaction is shown from its beginning", () => {
  const shown = daysOf({ ...report([4, 2], []), period: { startDate: "2026-10-30", endDate: "2026-11-02" } })
  expect(shown.map(({ day, count }) => [day.slice(5), count])).toEqual([
    ["10-30", 0],
    ["10-31", 0],
    ["11-01", 4],
    ["11-02", 2],
  ])
})

test("days and months without anything are no data", () => {
  expect(daysOf(report([5, 0, 0, 0, 0, 0, 0, 0], []))).toEqual([])
  expect(monthsOf(report([], [0, 0]))).toEqual([])
  expect(monthsOf(report([], [0, 10]))).toHaveLength(2)
})

test("days and months read as people write them", () => {
  expect([dayLabel("2026-11-05"), wholeDayLabel("2026-11-05")]).toEqual(["05/11", "05/11/2026"])
  expect([monthLabel("2026-02"), wholeMonthLabel("2026-12")]).toEqual(["fev", "dez de 2026"])
})
