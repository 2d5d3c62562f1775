import { expect, test } from "vitest"
import { nextRetryDay, type RetryFacts } from "./rules.ts"

const known = (day: string) => new Date(`${day}T21:30:00-03:00`)

function factsOf(dueDay: string, due: Date, retried: string[] = []): RetryFacts {
  const failed = { outcome: "expired", code: null } as const
  const attempts = [
    { kind: "first", day: dueDay, ...failed } as const,
    ...retried.map((day) => ({ kind: "later_day", day, ...failed }) as const),
  ]
  return {
    debit: { dueDay, attempts, status: "failed", endedCode: null, retryDay: null },
    policy: "three_in_seven_days",
    nextDueDay: "2027-02-15",
    lastDay: "2027-02-14",
    due,
  }
}

/** The days on which it is tried by itself, when each attempt is known to have failed in the evening. */
function plannedDays(dueDay: string, settlementDay: string, change: Partial<RetryFacts> = {}): string[] {
  const days: string[] = []
  for (let at = settlementDay; ; ) {
    const day = nextRetryDay({ ...factsOf(dueDay, known(at), days), ...change })
    if (day === null) return days
    days.push(day)
    at = day
  }
}

test.each([
  ["settled on its due day", "2027-01-13", "2027-01-13", ["2027-01-15", "2027-01-17", "2027-01-20"]],
  ["due on a Sunday", "2027-01-17", "2027-01-18", ["2027-01-20", "2027-01-22", "2027-01-24"]],
  ["due on a Saturday", "2027-01-16", "2027-01-18", ["2027-01-20", "2027-01-23"]],
  ["due before a long weekend", "2027-01-15", "2027-01-20", ["2027-01-22"]],
])("a debit %s is tried again on days that can be reached, the last one at the end", (_name, due, settled, days) => {
  expect(plannedDays(due, settled)).toEqual(days)
})

test("one that failed before its day is tried three times, no more, within seven days", () => {
  expect(nextRetryDay(factsOf("2027-01-13", new Date("2027-01-13T10:00:00-03:00")))).toBe("2027-01-14")
  expect(plannedDays("2027-01-13", "2027-01-12")).toEqual(["2027-01-14", "2027-01-16", "2027-01-20"])
})

test("the last day is that of the invoice, or the one before the next cycle", () => {
  expect(plannedDays("2027-01-13", "2027-01-13", { lastDay: "2027-01-16" })).toEqual(["2027-01-16"])
  expect(plannedDays("2027-01-13", "2027-01-13", { nextDueDay: "2027-01-18" })).toEqual(["2027-01-15", "2027-01-17"])
})
