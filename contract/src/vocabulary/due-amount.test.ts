import { assert, constantFrom, integer, option, property, record } from "fast-check"
import { expect, test } from "vitest"
import { type DueTerms, dayAfter, dueAmountOn, dueRangeOn, isBusinessDay, lastDayOf, type Share } from "./due-amount.ts"
import type { Cents } from "./money.ts"

const reais = (value: number) => Math.round(value * 100) as Cents
const percent = (value: number): Share => ({ basisPoints: Math.round(value * 100) })
const fixed = (value: number): Share => ({ cents: reais(value) })
const perMonth = (value: number) => ({ share: percent(value), per: "month", counting: "calendar" }) as const
const perDay = (share: Share) => ({ share, per: "day", counting: "calendar" }) as const
const usual = { fine: percent(2), interest: perMonth(1) }

type Terms = Omit<DueTerms, "amountCents" | "dueDay" | "daysAfterDue">

test.each<[number, number, Terms, string, string, number, number, number, number]>([
  [1, 100, {}, "2026-12-10", "2026-12-10", 0, 0, 0, 100],
  [2, 100, usual, "2026-12-10", "2026-12-11", 0, 2, 0.03, 102.03],
  [3, 100, usual, "2026-12-10", "2027-01-09", 0, 2, 1, 103],
  [4, 100, { fine: percent(3), interest: perDay(percent(1)) }, "2026-12-08", "2026-12-10", 0, 3, 2, 105],
  [5, 10, { interest: perDay(fixed(0.1)) }, "2027-02-27", "2027-03-01", 0, 0, 0, 10],
  [6, 10, { interest: perDay(fixed(0.1)) }, "2027-02-27", "2027-03-02", 0, 0, 0.1, 10.1],
  [7, 250, usual, "2026-12-25", "2026-12-28", 0, 0, 0, 250],
  [8, 250, usual, "2026-12-25", "2026-12-29", 0, 5, 0.08, 255.08],
  [9, 30_000, { interest: perMonth(1) }, "2026-12-09", "2026-12-10", 0, 0, 10, 30_010],
  [10, 10, { fine: percent(0.05) }, "2026-12-09", "2026-12-10", 0, 0.01, 0, 10.01],
  [11, 149.9, { fine: fixed(5), interest: perDay(fixed(0.33)) }, "2026-12-01", "2026-12-08", 0, 5, 2.31, 157.21],
  [12, 123.45, until(["2026-12-05", fixed(30)]), "2026-12-10", "2026-12-05", 30, 0, 0, 93.45],
  [13, 123.45, until(["2026-12-05", fixed(30)]), "2026-12-10", "2026-12-06", 0, 0, 0, 123.45],
  [14, 89.99, twoDiscounts(), "2026-12-10", "2026-12-03", 4.5, 0, 0, 85.49],
  [15, 89.99, twoDiscounts(), "2026-12-10", "2026-12-01", 9, 0, 0, 80.99],
  [16, 100, perDayAhead(0.1), "2026-12-10", "2026-12-01", 0.9, 0, 0, 99.1],
  [17, 333.33, usual, "2027-02-09", "2027-02-11", 0, 6.67, 0.11, 340.11],
  [18, 200, { ...usual, abatement: percent(10) }, "2026-12-01", "2026-12-16", 0, 3.6, 0.9, 184.5],
  [19, 1, usual, "2026-12-01", "2026-12-06", 0, 0.02, 0, 1.02],
  [20, 100, usual, "2026-12-11", "2026-12-12", 0, 2, 0.03, 102.03],
])("worked example %i", (_row, amount, terms, dueDay, day, discount, fine, interest, toPay) => {
  const found = dueAmountOn({ ...terms, amountCents: reais(amount), dueDay, daysAfterDue: 60 }, day)
  const parts = { discount: reais(discount), fine: reais(fine), interest: reais(interest), amount: reais(toPay) }
  expect(found).toMatchObject(parts)
})

/** As banks are known to read the same examples: row, least and most. */
test.each<[number, number, Terms, string, string, number, number]>([
  [1, 100, {}, "2026-12-10", "2026-12-10", 100, 100],
  [2, 100, usual, "2026-12-10", "2026-12-11", 100, 102.04],
  [3, 100, usual, "2026-12-10", "2027-01-09", 102.86, 103],
  [4, 100, { fine: percent(3), interest: perDay(percent(1)) }, "2026-12-08", "2026-12-10", 100, 105],
  [5, 10, { interest: perDay(fixed(0.1)) }, "2027-02-27", "2027-03-01", 10, 10.2],
  [7, 250, usual, "2026-12-25", "2026-12-28", 250, 255.25],
  [8, 250, usual, "2026-12-25", "2026-12-29", 250, 255.34],
  [9, 30_000, { interest: perMonth(1) }, "2026-12-09", "2026-12-10", 30_000, 30_010],
  [10, 10, { fine: percent(0.05) }, "2026-12-09", "2026-12-10", 10, 10.01],
  [11, 149.9, { fine: fixed(5), interest: perDay(fixed(0.33)) }, "2026-12-01", "2026-12-08", 155.89, 157.21],
  [13, 123.45, until(["2026-12-05", fixed(30)]), "2026-12-10", "2026-12-06", 93.45, 123.45],
  [14, 89.99, twoDiscounts(), "2026-12-10", "2026-12-03", 80.99, 85.5],
  [15, 89.99, twoDiscounts(), "2026-12-10", "2026-12-01", 80.99, 81],
  [17, 333.33, usual, "2027-02-09", "2027-02-11", 333.33, 340.23],
  [18, 200, { ...usual, abatement: percent(10) }, "2026-12-01", "2026-12-16", 184.26, 184.5],
  [19, 1, usual, "2026-12-01", "2026-12-06", 1.02, 1.03],
  [20, 100, usual, "2026-12-11", "2026-12-12", 100, 102.04],
])("what banks may ask of example %i", (_row, amount, terms, dueDay, day, least, most) => {
  const found = dueRangeOn({ ...terms, amountCents: reais(amount), dueDay, daysAfterDue: 60 }, day)
  expect(found).toEqual({ least: reais(least), most: reais(most) })
})

function until(...steps: [string, Share][]): Terms {
  return { discount: { until: steps.map(([day, share]) => ({ day, share })) } }
}

function twoDiscounts(): Terms {
  return until(["2026-12-01", percent(10)], ["2026-12-05", percent(5)])
}

function perDayAhead(value: number): Terms {
  return { discount: { perDayAhead: percent(value), counting: "calendar" } }
}

test.each([
  ["2026-12-25", 0, "2026-12-28"],
  ["2026-12-10", 30, "2027-01-11"],
  ["2027-02-08", 0, "2027-02-10"],
  ["2028-02-29", 1, "2028-03-02"],
  ["2026-12-31", 0, "2026-12-31"],
])("what is due on %s can be paid for %i days, until %s", (dueDay, daysAfterDue, lastDay) => {
  expect(lastDayOf({ dueDay, daysAfterDue })).toBe(lastDay)
})

test("holidays of the banks, moving ones too, and 20 November since 2024", () => {
  const holidays = ["2026-02-16", "2026-02-17", "2026-04-03", "2026-06-04", "2026-11-20", "2027-03-26", "2038-06-24"]
  expect(holidays.filter(isBusinessDay)).toEqual([])
  expect(["2023-11-20", "2026-02-18", "2026-12-31", "2026-04-06"].filter((day) => !isBusinessDay(day))).toEqual([])
})

test("a discount that ends on the due day is rolled with it, another one is not", () => {
  const sunday = { amountCents: reais(100), dueDay: "2026-12-13", daysAfterDue: 0 }
  const on = (terms: Terms) => dueAmountOn({ ...sunday, ...terms }, "2026-12-14").discount
  expect(on(until(["2026-12-13", fixed(10)]))).toBe(reais(10))
  expect(on(until(["2026-12-12", fixed(10)]))).toBe(0)
})

test("interest of business days, by the month and the year", () => {
  const terms = { amountCents: reais(2_520), dueDay: "2026-12-10", daysAfterDue: 60 }
  const on = (per: "day" | "month" | "year") =>
    dueAmountOn({ ...terms, interest: { share: percent(1), per, counting: "business" } }, "2026-12-14").interest
  expect([on("day"), on("month"), on("year")]).toEqual([reais(50.4), reais(2.4), reais(0.2)])
})

test("never negative, its parts add up, and it only grows with the days", () => {
  const share = (most: number) => integer({ min: 1, max: most }).map((basisPoints): Share => ({ basisPoints }))
  const anyTerms = record({
    amountCents: integer({ min: 100, max: 999_999_999 }).map((cents) => cents as Cents),
    dueDay: integer({ min: 0, max: 1_500 }).map((days) => dayAfter("2026-11-27", days)),
    daysAfterDue: integer({ min: 0, max: 365 }),
    fine: option(share(2_000), { nil: undefined }),
    interest: option(
      record({
        share: share(2_000),
        per: constantFrom("day" as const, "month" as const),
        counting: constantFrom("calendar" as const, "business" as const),
      }),
      { nil: undefined },
    ),
    first: share(9_999),
    second: share(9_999),
  })
  assert(
    property(anyTerms, integer({ min: 0, max: 60 }), ({ first, second, fine, interest, ...rest }, before) => {
      const [lower, higher] = [first, second].toSorted((a, b) => sizeOf(a) - sizeOf(b)) as [Share, Share]
      const steps = [
        { day: dayAfter(rest.dueDay, -before - 1), share: higher },
        { day: rest.dueDay, share: lower },
      ]
      const terms = {
        ...rest,
        ...(fine && { fine }),
        ...(interest && { interest }),
        discount: { until: steps },
      } satisfies DueTerms
      let last = 0
      for (let day = dayAfter(terms.dueDay, -before - 3); day <= dayAfter(terms.dueDay, 20); day = dayAfter(day, 1)) {
        const { amount, abatement, discount, ...late } = dueAmountOn(terms, day)
        expect(Math.min(amount, abatement, discount, late.fine, late.interest)).toBeGreaterThanOrEqual(0)
        expect(amount).toBe(terms.amountCents - abatement - discount + late.fine + late.interest)
        expect(amount).toBeGreaterThanOrEqual(last)
        last = amount
      }
    }),
  )
})

function sizeOf(share: Share): number {
  return "cents" in share ? share.cents : share.basisPoints
}
