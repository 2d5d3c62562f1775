import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import type {
  TransactionStatus,
  UnmatchedPaymentReason,
  UnmatchedPaymentStatus,
} from "@tilinta/contract/vocabulary/transactions"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawals"
import { foldAll } from "#db/backup/backup-tables"
import type { Days } from "#db/list-range"
import type { Db } from "#db/transaction"
import type { PlatformTotals } from "./reads.ts"
import { foldPlatformChangeRows, readDayTotals, readReasonTotals, readStatusTotals } from "./table.ts"

type OfStatus<Status> = PlatformTotals & { status: Status }

interface Wanted<Status> extends Days {
  statuses?: readonly Status[] | undefined
}

/** Totals of charges created on these days, per status. */
export async function readChargeTotalsOfPlatform(
  db: Db,
  { statuses, ...days }: Wanted<TransactionStatus>,
): Promise<OfStatus<TransactionStatus>[]> {
  const totals = await readStatusTotals<TransactionStatus>(db, "charge-created", days)
  return totals.filter(({ status }) => statuses === undefined || statuses.includes(status))
}

/** Totals of withdrawals requested on these days, per status; their amount is the gross. */
export async function readWithdrawalTotalsOfPlatform(
  db: Db,
  { statuses, ...days }: Wanted<WithdrawalStatus>,
): Promise<OfStatus<WithdrawalStatus>[]> {
  const totals = await readStatusTotals<WithdrawalStatus>(db, "withdrawal", days)
  return totals.filter(({ status, count }) => count > 0 && (statuses === undefined || statuses.includes(status)))
}

/** Totals of unmatched payments; their amount is the gross. */
export async function readUnmatchedPaymentTotalsOfPlatform(
  db: Db,
  statuses: readonly UnmatchedPaymentStatus[],
): Promise<(PlatformTotals & { reason: UnmatchedPaymentReason })[]> {
  return readReasonTotals<UnmatchedPaymentReason>(db, "unmatched-payment", statuses)
}

/** Totals of charges created on these days, for each day that has any. */
export async function readCreatedPerDay(db: Db, days: Days): Promise<(PlatformTotals & { day: string })[]> {
  return readDayTotals(db, "charge-created", days)
}

/** Totals of payments made on these days and not reversed, for each day that has any. */
export async function readPaidPerDay(db: Db, days: Days): Promise<(PlatformTotals & { day: string })[]> {
  return readDayTotals(db, "charge-paid", days)
}

/** Deleted pages are not counted. */
export async function countChargePagesOfPlatform(db: Db): Promise<Map<ChargePageStatus, number>> {
  const counts = await readStatusTotals<ChargePageStatus>(db, "charge-page", {})
  return new Map(counts.map(({ status, count }) => [status, count]))
}

/** Keeps the number of changes small that readers add up. The totals are exact without it. */
export function foldPlatformChanges({ db }: { db: Db }): Promise<void> {
  return foldAll(db, foldPlatformChangeRows)
}
