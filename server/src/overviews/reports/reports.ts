import { addCents, type Cents, noMoney, percentageFromBasisPoints } from "@tilinta/contract/vocabulary/money"
import { paidStatuses } from "@tilinta/contract/vocabulary/transactions"
import type { Days } from "#db/list-range"
import type { ReportsDb } from "#db/transaction"
import { addedUp, keptOf } from "#kit/caches"
import {
  type Clock,
  type Day,
  daysAfter,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOf,
  monthsAfter,
  saoPauloDay,
} from "#kit/clock"
import { readPendingWithdrawals } from "#money/withdrawals/reads"
import { countUsers } from "#people/users/reads"
import { countOpenings } from "#platform/system/reads"
import type { PlatformTotals } from "#platform/totals/reads"
import {
  countChargePagesOfPlatform,
  readChargeTotalsOfPlatform,
  readCreatedPerDay,
  readPaidPerDay,
} from "#platform/totals/totals"
import { readConversion, readSalesDays, type SalesDay } from "#selling/charges/search-reads"
import {
  findTopAmongBestEver,
  findTopOfMonth,
  findTopSellers,
  type LongPeriod,
  type Period,
  type TopSeller,
} from "./reads.ts"

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

interface Dashboard {
  usersCount: number
  /** Net amount of approved transactions, less what was given back. */
  revenueCents: Cents
  chargesCount: number
  pendingWithdrawals: { count: number; amountCents: Cents }
  chargePagesCount: number
  monthlyGrowthPercent: number
}

/** Reads kept totals, at the same cost for any size of platform. */
export async function readDashboard({ db, clock }: { db: ReportsDb; clock: Clock }): Promise<Dashboard> {
  const month = monthOf(saoPauloDay(clock.now()))
  const previousMonth = monthsAfter(month, -1)
  const [totals, pages, usersCount, pendingWithdrawals, days] = await Promise.all([
    readChargeTotalsOfPlatform(db, {}),
    countChargePagesOfPlatform(db),
    countUsers(db),
    readPendingWithdrawals(db),
    readCreatedPerDay(db, { dayFrom: firstDayOf(previousMonth), dayTo: lastDayOf(month) }),
  ])
  const countOf = (wanted: Month) => sumOf(days.filter(({ day }) => monthOf(day) === wanted).map(({ count }) => count))
  return {
    usersCount,
    revenueCents: keptOf(addedUp(totals.filter(({ status }) => paidStatuses.some((word) => word === status)))).netCents,
    chargesCount: sumOf(totals.map(({ count }) => count)),
    pendingWithdrawals,
    chargePagesCount: sumOf([...pages.values()]),
    monthlyGrowthPercent: growthPercent(countOf(previousMonth), countOf(month)),
  }
}

/** Percent with two decimals; 0 when there is nothing to compare with. */
function growthPercent(before: number, now: number): number {
  return before === 0 ? 0 : percentageFromBasisPoints(Math.round(((now - before) / before) * 10_000))
}

function sumOf(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

interface SellerReport {
  /** Oldest first; the last one is today. */
  days: SalesDay[]
  /** The same number of days immediately before. */
  previousDays: SalesDay[]
  conversion: { opened: number; generated: number; paid: number }
}

/** The most recent São Paulo days, from totals kept by the database: the history is never added up. */
export async function readSellerReport(
  { db, clock }: { db: ReportsDb; clock: Clock },
  { sellerId, days }: { sellerId: string; days: number },
): Promise<SellerReport> {
  const dayTo = saoPauloDay(clock.now())
  const dayFrom = daysAfter(dayTo, 1 - days)
  const range = { sellerId, dayFrom, dayTo }
  const [sales, opened, charges] = await Promise.all([
    readSalesDays(db, { ...range, dayFrom: daysAfter(dayFrom, -days) }),
    countOpenings(db, range),
    readConversion(db, range),
  ])
  return { days: sales.slice(days), previousDays: sales.slice(0, days), conversion: { opened, ...charges } }
}

/** Longer periods contain too many seller days to add up quickly. */
const LONG_DAYS = 92
/**
 * Candidates per requested row: first as many as usually contain the best of a long period, then as many as nearly
 * always do.
 */
const CANDIDATES = [4, 100]

/** Ranked by the gross of payments on these days, or in the present month when none are given. */
export async function listTopSellers(
  { db, clock }: { db: ReportsDb; clock: Clock },
  days: Period | null,
  limit: number,
): Promise<TopSeller[]> {
  const today = saoPauloDay(clock.now())
  const present = monthOf(today)
  const { dayFrom, dayTo } = days ?? { dayFrom: firstDayOf(present), dayTo: lastDayOf(present) }
  if (isWholeMonth(dayFrom, dayTo, today))
    return findTopOfMonth(db, { dayFrom, dayTo, lastDay: lastDayOf(monthOf(dayFrom)) }, limit)
  for (const factor of daysAfter(dayFrom, LONG_DAYS) < dayTo ? CANDIDATES : []) {
    const quick = await findTopAmongBestEver(db, longPeriod({ dayFrom, dayTo }, today), limit, limit * factor)
    if (quick !== null) return quick
  }
  return findTopSellers(db, { dayFrom, dayTo }, limit)
}

function isWholeMonth(dayFrom: Day, dayTo: Day, today: Day): boolean {
  const month = monthOf(dayFrom)
  return dayFrom === firstDayOf(month) && monthOf(dayTo) === month && endsMonth(dayTo, today)
}

/** The present month ends today: nothing is sold on future days, except with a clock that is ahead. */
function endsMonth(day: Day, today: Day): boolean {
  return day === lastDayOf(monthOf(day)) || day >= today
}

function longPeriod({ dayFrom, dayTo }: Period, today: Day): LongPeriod {
  const [first, last] = [monthOf(dayFrom), monthOf(dayTo)]
  const monthFrom = firstDayOf(dayFrom === firstDayOf(first) ? first : monthsAfter(first, 1))
  const monthTo = firstDayOf(endsMonth(dayTo, today) ? monthsAfter(last, 1) : last)
  return { dayFrom, monthFrom, monthTo, dayTo }
}
