import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { Days } from "#db/sao-paulo-days"
import type { Db } from "#db/transaction"
import { type PlatformTotals, readDayTotals, readPageCounts, readStatusTotals } from "./platform-totals-repository.ts"

export type { PlatformTotals } from "./platform-totals-repository.ts"

/** Of the charges created on these days, per status. */
export async function readChargeTotalsOfPlatform(
  db: Db,
  { statuses, ...days }: Days & { statuses?: readonly TransactionStatus[] | undefined },
): Promise<(PlatformTotals & { status: TransactionStatus })[]> {
  const totals = await readStatusTotals(db, "charge-created", days)
  return totals.filter(({ status }) => statuses === undefined || statuses.includes(status))
}

/** Of the charges created on these days, for each day that has any. */
export async function readCreatedPerDay(db: Db, days: Days): Promise<(PlatformTotals & { day: string })[]> {
  return readDayTotals(db, "charge-created", days)
}

/** Of what was paid on these days and is paid still, for each day that has any. */
export async function readPaidPerDay(db: Db, days: Days): Promise<(PlatformTotals & { day: string })[]> {
  return readDayTotals(db, "charge-paid", days)
}

/** Pages that were deleted don't count. */
export async function countChargePagesOfPlatform(db: Db): Promise<Map<ChargePageStatus, number>> {
  const counts = await readPageCounts(db)
  return new Map(counts.map(({ status, count }) => [status, count]))
}
