import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { judgePayment } from "./rules.ts"

/** Thursday; fine and interest from Friday on. */
const terms: DueTerms = {
  amountCents: 10_000 as Cents,
  dueDay: "2026-12-10",
  daysAfterDue: 30,
  fine: { basisPoints: 200 },
  interest: { share: { basisPoints: 100 }, per: "month", counting: "calendar" },
}
const paid = (amount: number, moment: string, parts?: [original: number, fine: number, interest: number]) => ({
  amountCents: amount as Cents,
  paidAt: new Date(`${moment}-03:00`),
  ...(parts && {
    parts: {
      originalCents: parts[0] as Cents,
      discountCents: 0 as Cents,
      fineCents: parts[1] as Cents,
      interestCents: parts[2] as Cents,
    },
  }),
})

test("a payment of the last second of a day may be booked on the next one", () => {
  const late = judgePayment([terms], paid(10_286, "2027-01-06T00:00:03"))
  expect(late).toMatchObject({ computedBy: "us", fineCents: 200, interestCents: 87, differenceCents: -1 })
  expect(judgePayment([terms], paid(10_000, "2026-12-11T00:00:03"))).toMatchObject({ fineCents: 0, ourCents: 10_000 })
})

test("the bank's parts count when they add up, and start from terms of ours", () => {
  const odd = paid(10_700, "2026-12-11T12:00:00", [10_000, 500, 200])
  expect(judgePayment([terms], odd)).toMatchObject({ computedBy: "bank", fineCents: 500, ourCents: 10_203 })
  expect(judgePayment([terms], paid(10_700, "2026-12-11T12:00:00", [10_000, 500, 100]))).toBeNull()
  expect(judgePayment([terms], paid(10_700, "2026-12-11T12:00:00", [9_000, 1_500, 200]))).toBeNull()
})

test("a holiday of the payer's city, and fine on a day that we call a holiday, are taken", () => {
  const holiday: DueTerms = { ...terms, dueDay: "2026-11-20" }
  for (const [amount, day] of [
    [10_000, "2026-11-24"],
    [10_203, "2026-11-21"],
    [10_206, "2026-11-22"],
  ] as const) {
    expect(judgePayment([holiday], paid(amount, `${day}T12:00:00`))).toMatchObject({ computedBy: "us" })
  }
})

test("of an edit's terms, whichever fit the amount are meant; none leave it to a person", () => {
  const edited: DueTerms = { ...terms, amountCents: 8_000 as Cents }
  expect(judgePayment([edited, terms], paid(10_000, "2026-12-10T12:00:00"))).toMatchObject({ originalCents: 10_000 })
  expect(judgePayment([edited, terms], paid(8_000, "2026-12-10T12:00:00"))).toMatchObject({ originalCents: 8_000 })
  expect(judgePayment([edited], paid(10_000, "2026-12-10T12:00:00"))).toBeNull()
  expect(judgePayment([], paid(10_000, "2026-12-10T12:00:00"))).toBeNull()
})
