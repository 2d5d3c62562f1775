import type { CycleView } from "@tilinta/contract/subscriptions"
import { expect, test } from "vitest"
import { debitsToShow } from "./subscriptions-data.ts"

const none = { retryDates: [] as string[], cancellableUntil: null as string | null }

/** Newest first, as the API lists them. */
const shown = (...cycles: [debit: object | null, invoice: string][]) =>
  debitsToShow(cycles.map(([debit, status]) => ({ debit, invoice: { status } }) as unknown as CycleView))

test("a failed debit is shown until a later one was made", () => {
  const failed = { ...none, _id: "failed", status: "failed" }
  const paid = { ...none, _id: "paid", status: "paid" }
  expect(shown([failed, "open"], [paid, "paid"])).toEqual([failed])
  expect(shown([null, "open"], [failed, "open"])).toEqual([failed])
  expect(shown([paid, "paid"], [failed, "open"])).toEqual([])
  expect(shown([failed, "paid"])).toEqual([])
  expect(shown([null, "open"])).toEqual([])
})

test("each debit that something can be done about is shown, whatever came after it", () => {
  const coming = { ...none, _id: "coming", status: "scheduled", cancellableUntil: "2031-01-09T00:59:00.000Z" }
  const failed = { ...none, _id: "failed", status: "failed", retryDates: ["2031-01-06"] }
  const older = { ...none, _id: "older", status: "failed" }
  expect(shown([coming, "open"], [failed, "open"], [older, "open"])).toEqual([coming, failed])
})
