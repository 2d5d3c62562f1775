import { type Cents, percentageFromBasisPoints } from "@tilinta/contract/vocabulary/money"
import { paidStatuses } from "@tilinta/contract/vocabulary/transaction-status"
import type { ReportsDb } from "#db/transaction"
import { countUsers } from "#domain/people/users/count-users"
import {
  countChargePagesOfPlatform,
  readChargeTotalsOfPlatform,
  readCreatedPerDay,
} from "#domain/platform/totals/read-platform-totals"
import type { Clock } from "#kit/clock"
import { addedUp, keptOf } from "#kit/kept-sums"
import { firstDayOf, lastDayOf, type Month, monthOf, monthsAfter, saoPauloDay } from "#kit/sao-paulo-day"
import { readPendingWithdrawals } from "#money/withdrawals/reads"

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
