import { addCents, type Cents, noMoney, subtractCents } from "./money.ts"

/**
 * A calendar day of São Paulo, as `YYYY-MM-DD`. This file computes what a charge with a due day asks on each, as the Central Bank's
 * rules say it: one calculator for the form, the
 * server, the payer's page and the simulated bank.
 */
export type Day = string

/** A part of an amount: hundredths of a percent (200 is 2 %), or centavos. */
export type Share = { basisPoints: number } | { cents: Cents }

type Counting = "calendar" | "business"

export interface DueTerms {
  amountCents: Cents
  dueDay: Day
  /** It can be paid until so many calendar days after the due day. */
  daysAfterDue: number
  /** Taken off whatever the day; discount, fine and interest are of the rest. */
  abatement?: Share
  /** Once, from the first late day on. */
  fine?: Share
  interest?: { share: Share; per: "day" | "month" | "year"; counting: Counting }
  discount?: { until: readonly { day: Day; share: Share }[] } | { perDayAhead: Share; counting: Counting }
}

/** The parts are of the amount to pay: original − abatement − discount + fine + interest. */
export interface DueAmount {
  amount: Cents
  abatement: Cents
  discount: Cents
  fine: Cents
  interest: Cents
}

/** Each part is rounded by itself, half up to the centavo. */
export function dueAmountOn(terms: DueTerms, day: Day, unlike: Partial<Reading> = {}): DueAmount {
  const dueUntil = adjustedDueDay(terms)
  const discountUntil = (until: Day) => (until === terms.dueDay ? dueUntil : until)
  return amountBy(terms, day, { dueUntil, discountUntil, less: "half", more: "half", ...unlike })
}

/** Banks know municipal holidays that we don't, and some let discounts live on over a weekend. */
const GRACE_DAYS = 4
const GRACE_DAYS_OF_DISCOUNTS = 3

/** Least and most that banks may ask by these terms, as they round, count days and know holidays differently. */
export function dueRangeOn(terms: DueTerms, day: Day): { least: Cents; most: Cents } {
  const least = amountBy(terms, day, {
    dueUntil: dayAfter(adjustedDueDay(terms), GRACE_DAYS),
    discountUntil: (until) => dayAfter(until, GRACE_DAYS_OF_DISCOUNTS),
    less: "up",
    more: "down",
  })
  const most = amountBy(terms, day, {
    dueUntil: terms.dueDay,
    discountUntil: (until) => until,
    less: "down",
    more: "up",
  })
  return { least: least.amount, most: most.amount }
}

type Rounding = "down" | "half" | "up"

/** How a bank reads the rules. */
export interface Reading {
  /** The last day that isn't late. */
  dueUntil: Day
  discountUntil(day: Day): Day
  /** How what makes it less is rounded, and what makes it more. */
  less: Rounding
  more: Rounding
}

function amountBy(terms: DueTerms, day: Day, reading: Reading): DueAmount {
  const { dueUntil, less, more } = reading
  const abatement = shareOf(terms.amountCents, terms.abatement, { rounding: less })
  const base = subtractCents(terms.amountCents, abatement)
  const isLate = day > dueUntil
  const discount = isLate ? noMoney : discountOn(terms, base, { day, reading })
  const fine = isLate ? shareOf(base, terms.fine, { rounding: more }) : noMoney
  const interest = isLate ? interestOn(terms, base, { day, reading }) : noMoney
  const amount = addCents(addCents(subtractCents(base, discount), fine), interest)
  return { amount, abatement, discount, fine, interest }
}

/** A due day on a weekend or a holiday counts until the next business day. */
export function adjustedDueDay({ dueDay }: Pick<DueTerms, "dueDay">): Day {
  return businessDayFrom(dueDay)
}

/** After it nothing can be paid any more. */
export function lastDayOf(terms: Pick<DueTerms, "dueDay" | "daysAfterDue">): Day {
  return businessDayFrom(dayAfter(adjustedDueDay(terms), terms.daysAfterDue))
}

interface On {
  day: Day
  reading: Reading
}

function discountOn({ dueDay, discount }: DueTerms, base: Cents, { day, reading }: On): Cents {
  if (discount === undefined) return noMoney
  const rounding = reading.less
  if ("until" in discount) {
    const step = discount.until.find(({ day: until }) => day <= reading.discountUntil(until))
    return shareOf(base, step?.share, { rounding })
  }
  return shareOf(base, discount.perDayAhead, { times: daysBetween(day, dueDay, discount.counting), rounding })
}

const periods = {
  calendar: { day: 1, month: 30, year: 365 },
  business: { day: 1, month: 21, year: 252 },
} as const

function interestOn(terms: DueTerms, base: Cents, { day, reading }: On): Cents {
  if (terms.interest === undefined) return noMoney
  const { share, per, counting } = terms.interest
  const times = daysBetween(reading.dueUntil, day, counting)
  return shareOf(base, share, { times, parts: periods[counting][per], rounding: reading.more })
}

/** `times` of the share divided by `parts`, rounded once. BigInt: the products exceed what a float holds exactly. */
function shareOf(
  base: Cents,
  share: Share | undefined,
  { times = 1, parts = 1, rounding }: { times?: number; parts?: number; rounding: Rounding },
): Cents {
  if (share === undefined || times <= 0) return noMoney
  const [whole, per] = "cents" in share ? [share.cents, 1] : [base, 10_000]
  const factor = "cents" in share ? 1 : share.basisPoints
  const divisor = BigInt(per) * BigInt(parts) * 2n
  const added = { down: 0n, half: divisor / 2n, up: divisor - 1n }[rounding]
  return Number((BigInt(whole) * BigInt(factor) * BigInt(times) * 2n + added) / divisor) as Cents
}

/** The days after `from` until `to`; 0 where `to` is not later. */
export function daysBetween(from: Day, to: Day, counting: Counting): number {
  if (to <= from) return 0
  if (counting === "calendar") return (timeOf(to) - timeOf(from)) / dayMs
  let count = 0
  for (let day = dayAfter(from, 1); day <= to; day = dayAfter(day, 1)) if (isBusinessDay(day)) count += 1
  return count
}

/** The day itself, or the next one that is no Saturday, Sunday or national bank holiday. */
export function businessDayFrom(day: Day): Day {
  return isBusinessDay(day) ? day : businessDayFrom(dayAfter(day, 1))
}

export function isBusinessDay(day: Day): boolean {
  const weekday = new Date(timeOf(day)).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isBankHoliday(day)
}

const fixedHolidays = new Set(["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "12-25"])
/** Carnival's Monday and Tuesday, Good Friday and Corpus Christi, in days after Easter. */
const movingHolidays = [-48, -47, -2, 60]

/** National ones; those of cities and states are the bank's affair. 20 November is one since 2024. */
function isBankHoliday(day: Day): boolean {
  const [year, date] = [Number(day.slice(0, 4)), day.slice(5)]
  if (fixedHolidays.has(date) || (date === "11-20" && year >= 2024)) return true
  return movingHolidays.some((offset) => dayAfter(easterOf(year), offset) === day)
}

/** The Gregorian calendar's rule, in the form of Meeus, Jones and Butcher. */
function easterOf(year: number): Day {
  const floor = (a: number, b: number) => Math.floor(a / b)
  const golden = year % 19
  const century = floor(year, 100)
  const ofCentury = year % 100
  const epact = (19 * golden + century - floor(century, 4) - floor(century - floor(century + 8, 25) + 1, 3) + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * floor(ofCentury, 4) - epact - (ofCentury % 4)) % 7
  const late = floor(golden + 11 * epact + 22 * toSunday, 451)
  const sum = epact + toSunday - 7 * late + 114
  return dayOf(Date.UTC(year, floor(sum, 31) - 1, (sum % 31) + 1))
}

const dayMs = 86_400_000

export function dayAfter(day: Day, days: number): Day {
  return dayOf(timeOf(day) + days * dayMs)
}

const timeOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10)
