import { isDeepStrictEqual } from "node:util"
import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import type { WithdrawalWait } from "@tilinta/contract/vocabulary/withdrawals"
import { sql } from "kysely"
import { type ListRange, requireRowBefore } from "#db/list-range"
import { prepared } from "#db/prepared"
import { uuidList } from "#db/rows-of"
import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { findOwners, type OwnedDestination } from "#money/destinations/reads"
import { findHandPayouts, type HandPayoutFacts } from "#money/hand-payouts/reads"
import { findFrozen, findFrozenSince } from "#people/freezes/freeze"
import {
  countApprovers,
  findFirstApprovals,
  type ListedApproval,
  trustedApprovers,
} from "#people/second-approvals/approve"
import { findInactiveUsers, type UserName } from "#people/users/reads"
import type { BankAccount } from "#people/users/rules"
import { type NameUsers, nameIn } from "#people/users/user-names"
import { isAuthentic } from "#platform/order-macs/macs"
import { readSecondApprovalAboveCents, readSetting } from "#platform/settings/reads"
import {
  destinationOf,
  findHandSettlements,
  type LastPaid,
  pageOf,
  readWithdrawalTotals,
  sumUp,
  toWithdrawal,
  type WithdrawalFilter,
  type WithdrawalRow,
  type WithdrawalTotals,
} from "./reads.ts"
import { type Approvals, isUnsent, noApprovals, waitOf } from "./rules.ts"
import {
  accountOf,
  approvalOrder,
  comparedDestination,
  type Destination,
  type HandSettlement,
  requestOrder,
  type SettlementWaitsFor,
  type Withdrawal,
} from "./withdrawal.ts"

/**
 * By id, the larger of two sums: what one person alone approved since then for the seller, and to the destination, whoever's
 * it is and however it is spelled. Returned and refused ones left nothing.
 */
async function sumApprovedAlone(db: Db, ids: readonly string[], since: Date): Promise<Map<string, Cents>> {
  const { rows } = await prepared<{ id: string; cents: Cents }>("sum-approved-alone")`
    select asked.id, greatest(of_seller.cents, of_target.cents) as cents
    from withdrawals asked
    cross join lateral (
      select coalesce(sum(amount_cents), 0)::bigint as cents from withdrawals
      where seller_id = asked.seller_id and approved_at > ${since} and first_approved_by is null
        and status in ('approved', 'processing', 'completed') and id <> asked.id
    ) of_seller
    cross join lateral (
      select coalesce(sum(amount_cents), 0)::bigint as cents from withdrawals
      where md5(shared_target(pix_key, bank_data)) = md5(shared_target(asked.pix_key, asked.bank_data))
        and approved_at > ${since} and first_approved_by is null
        and status in ('approved', 'processing', 'completed') and id <> asked.id
    ) of_target
    where asked.id = any(${uuidList(ids)})`.execute(db)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

/** Facts that help an admin decide about a pending request. */
export interface WithdrawalFacts {
  sellerSince: Date
  paidCount: number
  /** The median of the last ten paid withdrawals; null before the first. */
  usualCents: Cents | null
  /** Compared with the last paid withdrawal. */
  destination: "first" | "same" | "changed"
  /** True when the profile names the same account or key. */
  isInProfile: boolean
  profileChangedAt: Date | null
  /** The available balance that remains once it is paid; the amount has already left it. */
  balanceAfterCents: Cents
  openRefunds: { count: number; amountCents: Cents }
}

function isProfilesDestination(destination: Destination, profile: Partial<BankAccount>): boolean {
  if (destination.method === "pix") return parsePixKey(profile.pixKey ?? "")?.key === destination.pixKey.key
  return isDeepStrictEqual(accountOf(destination.bankData), accountOf(profile))
}

export const approveAct = "withdrawal.approve"

/** A freeze says that somebody was in the account who shouldn't: its next withdrawals are looked at twice. */
const AFTER_FREEZE_SECONDS = 7 * 86_400

/** Small ones are added up for so long: one person approves no more for a seller, nor to a destination, than the threshold. */
const SUM_SECONDS = 86_400

/** Ids of those that need two: large ones, also in many small parts, and any of an account that was frozen lately. */
export async function findGrave(db: Db, withdrawals: readonly Withdrawal[], now: Date): Promise<Set<string>> {
  const sellers = withdrawals.map(({ sellerId }) => sellerId)
  const frozen = await findFrozenSince(db, sellers, secondsAfter(now, -AFTER_FREEZE_SECONDS))
  const aboveCents = await readSecondApprovalAboveCents(db)
  const ids = withdrawals.map(({ id }) => id)
  const sums = aboveCents === null ? null : await sumApprovedAlone(db, ids, secondsAfter(now, -SUM_SECONDS))
  const isLarge = ({ id, amountCents }: Withdrawal) =>
    aboveCents !== null && addCents(amountCents, sums?.get(id) ?? noMoney) > aboveCents
  return new Set(withdrawals.filter((each) => isLarge(each) || frozen.has(each.sellerId)).map(({ id }) => id))
}

/** By the withdrawal's id. */
async function describeApprovals(
  db: Db,
  withdrawals: readonly Withdrawal[],
  { protection, now }: { protection: Protection; now: Date },
): Promise<Map<string, Approvals>> {
  const pending = withdrawals.filter(({ status }) => status === "pending")
  const { grave, approvers, firsts } = await approvalFacts(db, protection === "strict" ? pending : [], now)
  return new Map(
    withdrawals.map((withdrawal) => {
      const first = firsts.get(withdrawal.id) ?? null
      if (withdrawal.status !== "pending") return [withdrawal.id, givenTo(withdrawal)]
      const needed = first !== null || (approvers > 1 && grave.has(withdrawal.id)) ? 2 : 1
      const word = first && {
        by: { id: first.askedBy, name: first.askedByName },
        at: first.askedAt,
        expiresAt: first.expiresAt,
      }
      return [withdrawal.id, { given: first === null ? 0 : 1, needed, first: word }]
    }),
  )
}

async function approvalFacts(db: Db, pending: readonly Withdrawal[], now: Date) {
  if (pending.length === 0) return { grave: new Set<string>(), approvers: 0, firsts: new Map<string, ListedApproval>() }
  const ids = pending.map(({ id }) => id)
  const [grave, approvers, firsts] = await Promise.all([
    findGrave(db, pending, now),
    countApprovers(db, now),
    findFirstApprovals(db, approveAct, ids, now),
  ])
  return { grave, approvers, firsts }
}

function givenTo({ approvedAt, firstApprovedBy }: Withdrawal): Approvals {
  const needed = firstApprovedBy === null ? 1 : 2
  return { given: approvedAt === null ? 0 : needed, needed, first: null }
}

interface WithdrawalWithFacts extends Withdrawal {
  /** Null unless the request is pending. */
  facts: WithdrawalFacts | null
}

/** For admins: each pending request comes with the facts for its decision. */
export async function listWithdrawalsWithFacts(
  db: Db,
  filter: WithdrawalFilter,
  range: ListRange,
): Promise<WithdrawalWithFacts[]> {
  const direction = range.order === "oldest" ? sql`asc` : sql`desc`
  const { rows } = await sql<WithdrawalRow & FactsRow>`
    select withdrawal.*, facts.* from (${pageOf(filter, range)}) withdrawal ${factsJoin}
    order by withdrawal.created_at ${direction}, withdrawal.id ${direction}`.execute(db)
  return withFacts(rows)
}

async function findWithdrawalsWithFacts(db: Db, ids: readonly string[]): Promise<WithdrawalWithFacts[]> {
  const { rows } = await sql<WithdrawalRow & FactsRow>`
    select withdrawal.*, facts.* from withdrawals withdrawal ${factsJoin}
    where withdrawal.id = any(${ids}::uuid[])`.execute(db)
  return withFacts(rows)
}

function withFacts(rows: readonly (WithdrawalRow & FactsRow)[]): WithdrawalWithFacts[] {
  return rows.map((row) => {
    const withdrawal = toWithdrawal(row)
    return { ...withdrawal, facts: toFacts(row, withdrawal) }
  })
}

export interface ListedWithdrawal extends WithdrawalWithFacts {
  seller: UserName
  handSettlement: DescribedSettlement | null
  waitsBecause: WithdrawalWait | null
  approvals: Approvals
  handPayout: HandPayoutFacts | null
  owned: OwnedDestination
  /** OWN_NAME_ONLY refuses it. */
  isNotOwn: boolean
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
  return { withdrawals, summary: { ...sumUp(totals), totals } }
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
  const now = clock.now()
  const sent = withdrawals.filter(({ sentAt }) => sentAt !== null)
  const byHand = withdrawals.filter(({ status, isPaidByHand }) => isPaidByHand && status !== "pending")
  const [names, settlements, approvals, stops, handPayouts, owners] = await Promise.all([
    nameUsers(withdrawals.map(({ sellerId }) => sellerId)),
    describeSettlements(
      { db, nameUsers, clock },
      sent.map(({ id, sellerId, status }) => ({ id, sellerId, isUnderWay: status === "processing" })),
    ),
    describeApprovals(db, withdrawals, { protection, now }),
    findStops(db, withdrawals.filter(isUnsent)),
    findHandPayouts(
      db,
      byHand.map(({ id }) => id),
      now,
    ),
    findOwners(db, withdrawals),
  ])
  return withdrawals.map((withdrawal) => {
    const { id, sellerId } = withdrawal
    const owned = owners.get(id) ?? { destinationId: null, owner: "unknown" }
    const facts = {
      now,
      isEnabled: stops.isEnabled,
      isSellerActive: !stops.inactive.has(sellerId),
      isSellerFrozen: stops.frozen.has(sellerId),
      isAuthentic: isAsWritten(withdrawal),
      isNotOwn: stops.isOwnOnly && owned.owner === "other",
      approvals: approvals.get(id) ?? noApprovals,
    }
    return {
      ...withdrawal,
      seller: nameIn(names, sellerId),
      handSettlement: settlements.get(id) ?? null,
      waitsBecause: waitOf(withdrawal, facts),
      approvals: facts.approvals,
      handPayout: handPayouts.get(id) ?? null,
      owned,
      isNotOwn: facts.isNotOwn,
    }
  })
}

/** The part of it that people decided last. */
function isAsWritten(withdrawal: Withdrawal): boolean {
  const { status, requestMac, approvalMac } = withdrawal
  if (status === "pending") return isAuthentic(requestOrder(withdrawal), requestMac)
  return !isUnsent(withdrawal) || isAuthentic(approvalOrder(withdrawal), approvalMac)
}

/** Read for those alone that are approved and not sent: no other has a reason that depends on them. */
async function findStops(db: Db, unsent: readonly Withdrawal[]) {
  if (unsent.length === 0)
    return { frozen: new Set<string>(), inactive: new Set<string>(), isEnabled: true, isOwnOnly: false }
  const sellerIds = unsent.map(({ sellerId }) => sellerId)
  const [frozen, inactive, isEnabled, ownNameOnly] = await Promise.all([
    findFrozen(db, sellerIds),
    findInactiveUsers(db, sellerIds),
    readSetting(db, "WITHDRAWALS_ENABLED"),
    readSetting(db, "OWN_NAME_ONLY"),
  ])
  return { frozen, inactive, isEnabled, isOwnOnly: ownNameOnly === "on" }
}

/**
 * Joined to each pending request of the list, by indexes and within the list's own statement. The offset keeps the
 * planner from computing this before it checks whether the request is pending.
 */
const factsJoin = sql`left join lateral (
  select seller.created_at as seller_since, seller.bank_account as profile,
    coalesce((
      select total.count from withdrawal_totals total
      where total.seller_id = withdrawal.seller_id and total.status = 'completed'
    ), 0) as paid_count,
    paid_before.usual_cents, paid_before.last_paid,
    (
      select max(change.happened_at) from audit_records change
      where change.entity = 'user' and change.entity_id = withdrawal.seller_id::text
        and change.action = 'user.profile_updated' and change.after ? 'bankAccount'
    ) as profile_changed_at,
    coalesce((
      select account.balance_cents from ledger_accounts account
      where account.seller_id = seller.id and account.kind = 'seller-available'
    ), 0) as balance_cents,
    open_refunds.*
  from users seller
  cross join lateral (
    select percentile_disc(0.5) within group (order by recent.amount_cents) as usual_cents,
      (array_agg(to_jsonb(recent) order by recent.processed_at desc))[1] as last_paid
    from (
      select paid.* from withdrawals paid
      where paid.seller_id = seller.id and paid.status = 'completed' order by paid.processed_at desc limit 10
    ) recent
  ) paid_before
  cross join lateral (
    select count(*) as refund_count, coalesce(sum(refund.amount_cents), 0)::bigint as refund_cents
    from refunds refund where refund.seller_id = seller.id and refund.status = 'processing'
  ) open_refunds
  where seller.id = withdrawal.seller_id and withdrawal.status = 'pending' offset 0
) facts on true`

interface FactsRow {
  seller_since: Date | null
  profile: Partial<BankAccount>
  paid_count: number
  usual_cents: Cents | null
  last_paid: LastPaid | null
  profile_changed_at: Date | null
  balance_cents: Cents
  refund_count: number
  refund_cents: Cents
}

/** Null unless the request is pending. */
function toFacts(row: FactsRow, { destination }: Withdrawal): WithdrawalFacts | null {
  if (row.seller_since === null) return null
  return {
    sellerSince: row.seller_since,
    paidCount: row.paid_count,
    usualCents: row.usual_cents,
    destination: comparedDestination(row.last_paid === null ? null : destinationOf(row.last_paid), destination),
    isInProfile: isProfilesDestination(destination, row.profile),
    profileChangedAt: row.profile_changed_at,
    balanceAfterCents: row.balance_cents,
    openRefunds: { count: row.refund_count, amountCents: row.refund_cents },
  }
}

/** A word of people about a payout or refund, for admins. */
export interface DescribedSettlement extends Pick<HandSettlement, "outcome" | "endToEndId" | "reason" | "settledAt"> {
  saidBy: UserName
  saidAt: Date
  confirmedBy: UserName | null
  waitsFor: SettlementWaitsFor
}

interface Subject {
  id: string
  sellerId: string | null
  /** False once it has ended: a word that never took effect is then history, for the audit alone. */
  isUnderWay: boolean
}

export async function describeSettlements(
  { db, nameUsers, clock }: { db: Db; nameUsers: NameUsers; clock: Clock },
  subjects: readonly Subject[],
): Promise<Map<string, DescribedSettlement>> {
  const found = await findHandSettlements(
    db,
    subjects.map(({ id }) => id),
  )
  if (found.length === 0) return new Map()
  const bySubject = new Map(subjects.map((subject) => [subject.id, subject]))
  const settlements = found.filter(
    ({ settledAt, subjectId }) => settledAt !== null || bySubject.get(subjectId)?.isUnderWay,
  )
  const { all: admins } = await trustedApprovers(db, clock.now())
  const names = await nameUsers(
    settlements.flatMap(({ proposedBy, confirmedBy }) => [proposedBy, confirmedBy ?? proposedBy]),
  )
  return new Map(
    settlements.map((each) => {
      const { subjectId, outcome, endToEndId, reason, settledAt, proposedBy, confirmedBy } = each
      const isEnough = confirmedBy !== null || admins.every((id) => id === proposedBy)
      const described: DescribedSettlement = {
        outcome,
        endToEndId,
        reason,
        settledAt,
        saidBy: nameIn(names, proposedBy),
        saidAt: each.proposedAt,
        confirmedBy: confirmedBy === null ? null : nameIn(names, confirmedBy),
        waitsFor: settledAt === null ? (isEnough ? "sending" : "second_admin") : null,
      }
      return [subjectId, described]
    }),
  )
}
