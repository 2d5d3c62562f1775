import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { WithdrawalStatus, WithdrawalWait } from "@tilinta/contract/vocabulary/withdrawal-status"
import { type ListRange, requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { type DescribedSettlement, describeSettlements } from "#domain/money/hand-settlements/describe-settlements"
import { readSellerBalance, readSellerBlocked } from "#domain/money/payments/read-seller-balance"
import { readToCome } from "#domain/money/reserves/read-to-come"
import { type NameUsers, nameIn, type UserName } from "#domain/people/users/user-names"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import type { Protection } from "#kit/protection"
import { type Approvals, describeApprovals, noApprovals } from "./approve-together.ts"
import { findWaits } from "./find-waits.ts"
import type { Withdrawal } from "./withdrawal.ts"
import {
  findWithdrawalsWithFacts,
  listWithdrawalRows,
  listWithdrawalsWithFacts,
  readWithdrawalTotals,
  sumPartlyReturned,
  type WithdrawalFilter,
  type WithdrawalTotals,
  type WithdrawalWithFacts,
} from "./withdrawal-lists-repository.ts"

interface SellersList {
  withdrawals: Withdrawal[]
  /** The number of withdrawals that the filter finds, whatever the page. */
  results: number
  /** Sums of all the seller's withdrawals, whatever the filter. */
  summary: {
    availableCents: Cents
    inProgressCents: Cents
    withdrawnCents: Cents
    blockedCents: Cents
    toComeCents: Cents
  }
}

const underWay: readonly WithdrawalStatus[] = ["pending", "approved", "processing"]

/** Withdrawals requested and neither paid nor returned. */
export async function sumWithdrawalsUnderWay(db: Db, sellerId: string): Promise<{ count: number; amountCents: Cents }> {
  const totals = await readWithdrawalTotals(db, { sellerId, statuses: underWay })
  return { count: countOf(totals), amountCents: sumOf(totals) }
}

export async function listSellersWithdrawals(
  db: Db,
  filter: WithdrawalFilter & { sellerId: string },
  range: ListRange,
): Promise<SellersList> {
  const { sellerId, statuses } = filter
  const isKept = !filter.search && filter.dayFrom === undefined && filter.dayTo === undefined
  const [withdrawals, found, all, partlyReturned, availableCents, blockedCents, toComeCents] = await Promise.all([
    listWithdrawalRows(db, filter, range),
    isKept ? null : readWithdrawalTotals(db, filter),
    readWithdrawalTotals(db, { sellerId }),
    sumPartlyReturned(db, sellerId),
    readSellerBalance(db, sellerId),
    readSellerBlocked(db, sellerId),
    readToCome(db, sellerId),
  ])
  await requireRowBefore(db, "withdrawals", range, withdrawals)
  return {
    withdrawals,
    results: countOf(found ?? all.filter(({ status }) => statuses?.includes(status) ?? true)),
    summary: {
      availableCents,
      blockedCents,
      toComeCents,
      inProgressCents: sumOf(all.filter(({ status }) => underWay.includes(status))),
      withdrawnCents: subtractCents(sumOf(all.filter(({ status }) => status === "completed")), partlyReturned),
    },
  }
}

export interface ListedWithdrawal extends WithdrawalWithFacts {
  seller: UserName
  handSettlement: DescribedSettlement | null
  waitsBecause: WithdrawalWait | null
  approvals: Approvals
}

export interface NamedLists {
  db: Db
  nameUsers: NameUsers
  clock: Clock
  protection: Protection
}

interface WholeList {
  withdrawals: ListedWithdrawal[]
  summary: { count: number; amountCents: Cents; totals: WithdrawalTotals[] }
}

/** Withdrawals of all sellers, for admins, with totals of everything that the filter selects. */
export async function listAllWithdrawals(
  deps: NamedLists,
  filter: WithdrawalFilter,
  range: ListRange,
): Promise<WholeList> {
  const [rows, totals] = await Promise.all([
    listWithdrawalsWithFacts(deps.db, filter, range),
    readWithdrawalTotals(deps.db, filter),
  ])
  await requireRowBefore(deps.db, "withdrawals", range, rows)
  const withdrawals = await describeWithdrawals(deps, rows)
  return { withdrawals, summary: { count: countOf(totals), amountCents: sumOf(totals), totals } }
}

/** Any seller's withdrawal, with its seller. */
export async function getAnyWithdrawal(deps: NamedLists, id: string): Promise<ListedWithdrawal> {
  const [withdrawal] = isId(id) ? await findListedWithdrawals(deps, [id]) : []
  if (withdrawal === undefined) throw new DomainError("withdrawal_not_found")
  return withdrawal
}

export async function findListedWithdrawals(deps: NamedLists, ids: readonly string[]): Promise<ListedWithdrawal[]> {
  return describeWithdrawals(deps, await findWithdrawalsWithFacts(deps.db, ids))
}

/** As admins read one that was just decided. */
export async function describeWithdrawal(deps: NamedLists, withdrawal: Withdrawal): Promise<ListedWithdrawal> {
  const [described] = await describeWithdrawals(deps, [{ ...withdrawal, facts: null }])
  invariant(described !== undefined, "one withdrawal in, one out")
  return described
}

async function describeWithdrawals(
  { db, nameUsers, clock, protection }: NamedLists,
  withdrawals: readonly WithdrawalWithFacts[],
): Promise<ListedWithdrawal[]> {
  const sent = withdrawals.filter(({ sentAt }) => sentAt !== null)
  const [names, settlements, waits, approvals] = await Promise.all([
    nameUsers(withdrawals.map(({ sellerId }) => sellerId)),
    describeSettlements(
      { db, nameUsers, clock },
      sent.map(({ id, sellerId, status }) => ({ id, sellerId, isUnderWay: status === "processing" })),
    ),
    findWaits(db, withdrawals),
    describeApprovals(db, withdrawals, { protection, now: clock.now() }),
  ])
  return withdrawals.map((withdrawal) => ({
    ...withdrawal,
    seller: nameIn(names, withdrawal.sellerId),
    handSettlement: settlements.get(withdrawal.id) ?? null,
    waitsBecause: waits.get(withdrawal.id) ?? null,
    approvals: approvals.get(withdrawal.id) ?? noApprovals,
  }))
}

function countOf(totals: WithdrawalTotals[]): number {
  return totals.reduce((sum, total) => sum + total.count, 0)
}

function sumOf(totals: WithdrawalTotals[]): Cents {
  return totals.reduce((sum, total) => addCents(sum, total.amountCents), noMoney)
}

/** Withdrawals that await an admin. */
export async function readPendingWithdrawals(db: Db): Promise<{ count: number; amountCents: Cents }> {
  const totals = await readWithdrawalTotals(db, { statuses: ["pending"] })
  return { count: countOf(totals), amountCents: sumOf(totals) }
}
