import { expect, test } from "vitest"
import { problemsOfTerms, type SentTerms, warningsOfTerms } from "./invoices.ts"

const today = "2026-12-01"
const terms = (cents: number): SentTerms => ({ amount: cents / 100, dueDate: "2026-12-20", daysAfterDue: 30 })
const ofDay = (cents: number) => ({ interest: { type: "fixedDay", value: cents / 100 } }) as const
const fined = (cents: number) => ({ fine: { type: "fixed", value: cents / 100 } }) as const

test("a limit that is a part of the amount holds to the centavo, whatever floats make of the division", () => {
  for (let cents = 10; cents <= 1000; cents += 1) {
    expect(problemsOfTerms({ ...terms(cents * 10), ...ofDay(cents) }, today)).toEqual([])
    expect(problemsOfTerms({ ...terms(cents * 10), ...ofDay(cents + 1) }, today)).toMatchObject([
      { path: "interest.value" },
    ])
  }
})

test("what consumers can contest is warned of above its limit, and never at it", () => {
  for (let cents = 2; cents <= 300; cents += 1) {
    expect(warningsOfTerms({ ...terms(cents * 50), ...fined(cents) })).toEqual([])
    expect(warningsOfTerms({ ...terms(cents * 50), ...fined(cents + 1) })).toMatchObject([{ path: "fine" }])
    expect(warningsOfTerms({ ...terms(cents * 3000), ...ofDay(cents) })).toEqual([])
    expect(warningsOfTerms({ ...terms(cents * 3000), ...ofDay(cents + 1) })).toMatchObject([{ path: "interest" }])
  }
})
