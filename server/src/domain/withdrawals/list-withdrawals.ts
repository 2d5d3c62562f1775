import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import { type ListRange, requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { readSellerBalance, readSellerBlocked } from "#domain/payments/read-seller-balance"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { addCents, type Cents, noMoney } from "#kit/money"
import { readOccurrences } from "#ledger/read-occurrences"
import type { Withdrawal } from "./withdrawal.ts"
import {
  findListedWithdrawals,
  type ListedWithdrawal,
  listWithdrawalRows,
  listWithdrawalsWithFacts,
  readWithdrawalTotals,
  type WithdrawalFilter,
  type WithdrawalTotals,
} from "./withdrawal-lists-repository.ts"

interface SellersList {
  withdrawals: (Withdrawal & { sentAt: Date | null })[]
  /** How many the filter finds, whatever the page. */
  results: number
  /** Of all the seller's withdrawals, whatever the filter. */
  summary: { availableCents: Cents; inProgressCents: Cents; withdrawnCents: Cents; blockedCents: Cents }
}

const underWay: readonly WithdrawalStatus[] = ["pending", "approved", "processing"]

/** What a seller has asked for and neither got nor got back. */
export async function sumWithdrawalsUnderWay(db: Db, sellerId: string): Promise<{ count: number; amountCents: Cents }> {
  const totals = await readWithdrawalTotals(db, { sellerId, statuses: underWay })
  return { count: countOf(totals), amountCents: sumOf(totals) }
}

export async function listSellersWithdrawals(
  db: Db,
  filter: WithdrawalFilter & { sellerId: string },
  range: ListRange,
): Promise<SellersList> {
  await requireRowBefore(db, "withdrawals", range)
  const [withdrawals, found, all, availableCents, blockedCents] = await Promise.all([
    listWithdrawalRows(db, filter, range),
    readWithdrawalTotals(db, filter),
    readWithdrawalTotals(db, { sellerId: filter.sellerId }),
    readSellerBalance(db, filter.sellerId),
    readSellerBlocked(db, filter.sellerId),
  ])
  const sentAt = await readOccurrences(
    db,
    "payout",
    withdrawals.map(({ id }) => id),
  )
  return {
    withdrawals: withdrawals.map((withdrawal) => ({ ...withdrawal, sentAt: sentAt.get(withdrawal.id) ?? null })),
    results: countOf(found),
    summary: {
      availableCents,
      blockedCents,
      inProgressCents: sumOf(all.filter(({ status }) => underWay.includes(status))),
      withdrawnCents: sumOf(all.filter(({ status }) => status === "completed")),
    },
  }
}

interface WholeList {
  withdrawals: ListedWithdrawal[]
  summary: { count: number; amountCents: Cents; totals: WithdrawalTotals[] }
}

/** For the admin: everybody's, with totals of what the filter selects. */
export async function listAllWithdrawals(db: Db, filter: WithdrawalFilter, range: ListRange): Promise<WholeList> {
  await requireRowBefore(db, "withdrawals", range)
  const [withdrawals, totals] = await Promise.all([
    listWithdrawalsWithFacts(db, filter, range),
    readWithdrawalTotals(db, filter),
  ])
  return { withdrawals, summary: { count: countOf(totals), amountCents: sumOf(totals), totals } }
}

/** Anybody's, with its seller. */
export async function getAnyWithdrawal(db: Db, id: string): Promise<ListedWithdrawal> {
  const [withdrawal] = isId(id) ? await findListedWithdrawals(db, [id]) : []
  if (withdrawal === undefined) throw new DomainError("withdrawal_not_found")
  return withdrawal
}

function countOf(totals: WithdrawalTotals[]): number {
  return totals.reduce((sum, total) => sum + total.count, 0)
}

function sumOf(totals: WithdrawalTotals[]): Cents {
  return totals.reduce((sum, total) => addCents(sum, total.amountCents), noMoney)
}

/** Those that wait for an admin. */
export async function readPendingWithdrawals(db: Db): Promise<{ count: number; amountCents: Cents }> {
  const totals = await readWithdrawalTotals(db, { statuses: ["pending"] })
  return { count: countOf(totals), amountCents: sumOf(totals) }
}
