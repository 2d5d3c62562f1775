import { expect, test } from "vitest"
import { type ReportedReceipt, reportedWindows } from "./follow-receipts.ts"

const noon = Date.parse("2026-11-21T12:00:00.100Z")

function reportedAt(...afterNoonMs: (number | null)[]): ReportedReceipt[] {
  return afterNoonMs.map((ms, at) => ({
    kind: "receipt",
    endToEndId: `E${at}`,
    reportsRefunds: false,
    reportedAt: ms === null ? null : new Date(noon + ms),
  }))
}

const spread = (count: number, everyMs: number, fromMs = 0) =>
  Array.from({ length: count }, (_, at) => fromMs + at * everyMs)

const shapeOf = (reported: ReportedReceipt[]) =>
  reportedWindows(reported).map(({ from, to, ids }) => [from.getTime() - noon, to.getTime() - noon, ids.length])

test("many receipts close in time are one window, in whatever order they are reported", () => {
  expect(shapeOf(reportedAt(...spread(200, 3).toReversed()))).toEqual([[0, 598, 200]])
  expect(shapeOf(reportedAt(...spread(8, 0)))).toEqual([[0, 1, 8]])
})

test("an outlier doesn't stretch the window of the others", () => {
  expect(shapeOf(reportedAt(...spread(100, 2), -40_000, 5_000, null))).toEqual([[0, 199, 100]])
})

test("few receipts are no window, nor those without a time", () => {
  expect(shapeOf(reportedAt(...spread(7, 1), null, null))).toEqual([])
  expect(shapeOf([])).toEqual([])
})

test("receipts far apart are one window while it is no longer than a minute", () => {
  expect(shapeOf(reportedAt(...spread(10, 6_000)))).toEqual([[0, 54_001, 10]])
  expect(shapeOf(reportedAt(...spread(20, 6_000))).map(([, , length]) => length)).toEqual([11, 9])
})

test("when whole seconds are reported, the window includes the whole last second", () => {
  expect(shapeOf(reportedAt(...spread(8, 1_000, 900)))).toEqual([[900, 8_900, 8]])
})
