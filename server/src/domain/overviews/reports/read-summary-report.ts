import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Days } from "#db/sao-paulo-days"
import type { ReportsDb } from "#db/transaction"
import { type PlatformTotals, readCreatedPerDay, readPaidPerDay } from "#domain/platform/totals/read-platform-totals"
import type { Clock } from "#kit/clock"
import { keptOf } from "#kit/kept-sums"
import { type Day, daysAfter, type Month, monthOf, monthsAfter, saoPauloDay } from "#kit/sao-paulo-day"

/** Charges created and paid in a period; amounts are less what was given back. */
export interface Activity {
  count: number
  paidCount: number
  grossCents: Cents
  netCents: Cents
}

export interface SummaryReport {
  from: Day | null
  to: Day
  days: (Activity & { day: Day })[]
  months: (Activity & { month: Month })[]
  whole: Activity
}

const DAYS_UNASKED = 7
const MONTHS_UNASKED = 12

/** Adds up kept totals, one row per day and status, without reading transactions. */
export async function readSummaryReport(
  { db, clock }: { db: ReportsDb; clock: Clock },
  { dayFrom, dayTo }: Days,
): Promise<SummaryReport> {
  const today = saoPauloDay(clock.now())
  const to = dayTo !== undefined && dayTo < today ? dayTo : today
  const [created, paid] = await Promise.all([
    readCreatedPerDay(db, { dayFrom, dayTo: to }),
    readPaidPerDay(db, { dayFrom, dayTo: to }),
  ])
  const perDay = activityPer(created, paid, (day) => day)
  const perMonth = activityPer(created, paid, monthOf)
  const first = firstOf([...perDay.keys()], to)
  const from = dayFrom === undefined || dayFrom < first ? first : dayFrom
  const lastMonth = monthOf(to)
  const days = dayFrom === undefined ? daysBetween(daysAfter(to, 1 - DAYS_UNASKED), to) : daysBetween(from, to)
  const months =
    dayFrom === undefined
      ? monthsBetween(monthsAfter(lastMonth, 1 - MONTHS_UNASKED), lastMonth)
      : monthsBetween(monthOf(from), lastMonth)
  return {
    from: dayFrom ?? null,
    to,
    days: days.map((day) => ({ day, ...(perDay.get(day) ?? nothing) })),
    months: months.map((month) => ({ month, ...(perMonth.get(month) ?? nothing) })),
    whole: activityPer(created, paid, () => "whole").get("whole") ?? nothing,
  }
}

const nothing: Activity = { count: 0, paidCount: 0, grossCents: noMoney, netCents: noMoney }

type DayTotals = PlatformTotals & { day: Day }

function activityPer(created: DayTotals[], paid: DayTotals[], timeOf: (day: Day) => string): Map<string, Activity> {
  const activities = new Map<string, Activity>()
  const of = (day: Day) => activities.get(timeOf(day)) ?? nothing
  for (const { day, count } of created) {
    const activity = of(day)
    activities.set(timeOf(day), { ...activity, count: activity.count + count })
  }
  for (const { day, count, ...sums } of paid) {
    const activity = of(day)
    const { grossCents, netCents } = keptOf(sums)
    activities.set(timeOf(day), {
      count: activity.count,
      paidCount: activity.paidCount + count,
      grossCents: addCents(activity.grossCents, grossCents),
      netCents: addCents(activity.netCents, netCents),
    })
  }
  return activities
}

function firstOf(days: Day[], fallback: Day): Day {
  return days.reduce((first, day) => (day < first ? day : first), fallback)
}

function daysBetween(from: Day, to: Day): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = daysAfter(day, 1)) days.push(day)
  return days
}

function monthsBetween(from: Month, to: Month): Month[] {
  const months: Month[] = []
  for (let month = from; month <= to; month = monthsAfter(month, 1)) months.push(month)
  return months
}
