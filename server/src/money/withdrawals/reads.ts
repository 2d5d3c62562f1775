import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { HoldReason, WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawals"
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely"
import { comesAfter, type Days, holdsText, type ListRange, momentWithin, requireRowBefore } from "#db/list-range"
import { prepared } from "#db/prepared"
import { type PastRow, pastRows } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import { type Day, saoPauloDay, secondsAfter, startOfDay } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { isId } from "#kit/ids"
import { readSellerBalance, readSellerBlocked } from "#money/payments/reads"
import { readToCome } from "#money/reserves/reads"
import type { HoldRules } from "#platform/settings/rules"
import { readWithdrawalTotalsOfPlatform } from "#platform/totals/totals"
import type { HoldFacts, Leaving } from "./rules.ts"
import { type Destination, type HandSettlement, targetOf, type Withdrawal } from "./withdrawal.ts"

export interface WithdrawalFilter extends Days {
  /** The whole platform when absent. */
  sellerId?: string | undefined
  statuses?: readonly WithdrawalStatus[] | undefined
  search?: string | undefined
}

export interface WithdrawalTotals {
  status: WithdrawalStatus
  count: number
  amountCents: Cents
}

const ownColumns = ["withdrawal.pix_key", "withdrawal.end_to_end_id"]

/** Only admins may search by the seller. */
function searchedColumns({ sellerId }: WithdrawalFilter): string[] {
  return sellerId === undefined ? [...ownColumns, "seller.name", "seller.email"] : ownColumns
}

export function withdrawalConditions(
  filter: WithdrawalFilter,
  { after, order }: Pick<ListRange, "after" | "order"> = {},
): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql`true`, ...momentWithin("withdrawal.created_at", filter)]
  if (filter.sellerId !== undefined) conditions.push(sql`withdrawal.seller_id = ${filter.sellerId}`)
  if (filter.statuses) conditions.push(hasStatus(filter.statuses))
  if (filter.search) conditions.push(holdsText(searchedColumns(filter), filter.search))
  if (after !== undefined) conditions.push(comesAfter("withdrawals", "withdrawal", after, order))
  return sql.join(conditions, sql` and `)
}

/** A single status is read from its index in the list's order; several would have to be sorted. */
function hasStatus(statuses: readonly WithdrawalStatus[]): RawBuilder<SqlBool> {
  return statuses.length === 1
    ? sql`withdrawal.status = ${statuses[0]}`
    : sql`withdrawal.status = any(${statuses}::text[])`
}

/** Only an admin's search joins the sellers. */
function from({ search, sellerId }: WithdrawalFilter): RawBuilder<unknown> {
  return search && sellerId === undefined
    ? sql`withdrawals withdrawal join users seller on seller.id = withdrawal.seller_id`
    : sql`withdrawals withdrawal`
}

export function pageOf(filter: WithdrawalFilter, { offset, limit, after, order }: ListRange): RawBuilder<unknown> {
  const direction = order === "oldest" ? sql`asc` : sql`desc`
  return sql`select withdrawal.* from ${from(filter)}
    where ${withdrawalConditions(filter, { after, order })}
    order by withdrawal.created_at ${direction}, withdrawal.id ${direction} limit ${limit} offset ${offset}`
}

async function listWithdrawalRows(db: Db, filter: WithdrawalFilter, range: ListRange): Promise<Withdrawal[]> {
  const { rows } = await sql<WithdrawalRow>`${pageOf(filter, range)}`.execute(db)
  return rows.map(toWithdrawal)
}

/** Exact totals per status. Only what no total covers scans rows. */
export async function readWithdrawalTotals(db: Db, filter: WithdrawalFilter): Promise<WithdrawalTotals[]> {
  const { sellerId, search } = filter
  if (!search && sellerId === undefined) {
    const totals = await readWithdrawalTotalsOfPlatform(db, filter)
    return totals.map(({ status, count, grossCents }) => ({ status, count, amountCents: grossCents }))
  }
  const { rows } = await (hasKeptTotals(filter) ? keptTotals(filter) : countedTotals(filter)).execute(db)
  return rows
}

/** No total covers a search, or one seller's days. */
function hasKeptTotals({ search, dayFrom, dayTo }: WithdrawalFilter): boolean {
  return !search && dayFrom === undefined && dayTo === undefined
}

/** Returned parts of withdrawals that stay completed, which their totals count whole. */
async function sumPartlyReturned(db: Db, sellerId: string): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum(returned_cents), 0)::bigint as cents from withdrawals
    where seller_id = ${sellerId} and status = 'completed' and returned_cents > 0`.execute(db)
  return rows[0]?.cents ?? noMoney
}

function keptTotals({ sellerId, statuses }: WithdrawalFilter): RawBuilder<WithdrawalTotals> {
  return sql`select status, count, amount_cents as "amountCents" from withdrawal_totals
    where seller_id = ${sellerId} and ${statuses ? sql`status = any(${statuses}::text[])` : sql`true`}`
}

function countedTotals(filter: WithdrawalFilter): RawBuilder<WithdrawalTotals> {
  return sql`select withdrawal.status, count(*) as count, sum(withdrawal.amount_cents)::bigint as "amountCents"
    from ${from(filter)} where ${withdrawalConditions(filter)} group by withdrawal.status`
}

interface RequestRead {
  sellerId: string
  /** The person who asks: the seller, or another owner of the shop. */
  requesterId: string
  destination: Destination
  now: Date
  rules: HoldRules
}

interface RequestHistory extends Pick<HoldFacts, "firstUsedAt" | "leaving" | "platformDays"> {
  isFrozen: boolean
  /** A withdrawal that was requested in the browser was paid to this destination. */
  isPaidBefore: boolean
  lastPaid: Destination | null
  /** Active administrators, who are told. */
  admins: string[]
}

/** Call it under the locks of the seller, the balance and, where it is limited, the platform's sum. A rule that is off costs nothing. */
export async function readRequestHistory(tx: Tx, read: RequestRead) {
  const { sellerId, requesterId, destination, now, rules } = read
  const { rows } = await prepared<Pick<RequestHistory, "isFrozen" | "firstUsedAt" | "admins">>("request-history")`
    select exists (
        select from freezes where user_id in (${sellerId}, ${requesterId}) and ended_at is null
      ) as "isFrozen",
      (
        select first_used_at from destinations
        where seller_id = ${sellerId} and target = ${targetOf(destination)}
          and (first_used_at <= removed_at) is not true
      ) as "firstUsedAt",
      array(select id::text from users where role = 'admin' and active) as admins`.execute(tx)
  const [found] = rows
  invariant(found !== undefined, "a select without a table has one row")
  const history: RequestHistory = {
    ...found,
    isPaidBefore: await existsPaidFromBrowser(tx, sellerId, destination),
    lastPaid: await findLastPaidDestination(tx, sellerId),
    leaving: rules.dailyLimitCents > noMoney ? await findLeaving(tx, sellerId, secondsAfter(now, -86_400)) : [],
    platformDays: rules.platformLimitCents > noMoney ? await readPlatformDays(tx, now) : new Map(),
  }
  return history
}

/** Null before the seller's first paid withdrawal. */
async function findLastPaidDestination(db: Db, sellerId: string): Promise<Destination | null> {
  const { rows } = await prepared<LastPaid>("last-paid-destination")`
    select id, pix_key, pix_key_kind, bank_data from withdrawals
    where seller_id = ${sellerId} and status = 'completed' order by processed_at desc limit 1`.execute(db)
  return rows[0] === undefined ? null : destinationOf(rows[0])
}

/** The seller's withdrawals that leave after this moment. */
async function findLeaving(db: Db, sellerId: string, since: Date): Promise<Leaving[]> {
  const { rows } = await prepared<Leaving>("leaving-withdrawals")`
    select coalesce(held_until, created_at) as at, amount_cents as "amountCents" from withdrawals
    where seller_id = ${sellerId} and coalesce(held_until, created_at) > ${since}
      and status in ('pending', 'approved', 'processing', 'completed')`.execute(db)
  return rows
}

/** Today carries the requests of today, without those held to a later day, and those held until today. */
async function readPlatformDays(db: Db, now: Date): Promise<Map<Day, Cents>> {
  const today = saoPauloDay(now)
  const days = new Map<Day, Cents>()
  const add = (day: Day, cents: Cents) => days.set(day, addCents(days.get(day) ?? noMoney, cents))
  for (const { day, isOfToday, cents } of await sumHeldSince(db, startOfDay(today))) {
    if (isOfToday) add(today, subtractCents(noMoney, cents))
    add(day, cents)
  }
  const statuses = ["pending", "approved", "processing", "completed"] as const
  const totals = await readWithdrawalTotalsOfPlatform(db, { statuses, dayFrom: today, dayTo: today })
  for (const { grossCents } of totals) add(today, grossCents)
  return days
}

interface HeldSum {
  /** São Paulo's, on which the hold ends. */
  day: Day
  /** Requested since the moment that was asked for. */
  isOfToday: boolean
  cents: Cents
}

/** Sums of those whose hold ends after this moment. */
async function sumHeldSince(db: Db, since: Date): Promise<HeldSum[]> {
  const { rows } = await prepared<HeldSum>("held-withdrawal-sums")`
    select sao_paulo_day(held_until)::text as day, created_at >= ${since} as "isOfToday",
      sum(amount_cents)::bigint as cents
    from withdrawals
    where held_until >= ${since} and status in ('pending', 'approved', 'processing', 'completed')
    group by 1, 2`.execute(db)
  return rows
}

export async function getWithdrawal(db: Db, { id, sellerId }: { id: string; sellerId: string }): Promise<Withdrawal> {
  return withdrawalOwnedBy(isId(id) ? await findWithdrawal(db, id) : null, sellerId)
}

export function withdrawalOwnedBy(withdrawal: Withdrawal | null, sellerId: string): Withdrawal {
  if (withdrawal === null) throw new DomainError("withdrawal_not_found")
  if (withdrawal.sellerId !== sellerId) throw new DomainError("withdrawal_forbidden")
  return withdrawal
}

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
export async function sumWithdrawalsUnderWay(db: Db, sellerId: string): Promise<Sum> {
  return sumUp(await readWithdrawalTotals(db, { sellerId, statuses: underWay }))
}

export async function listSellersWithdrawals(
  db: Db,
  filter: WithdrawalFilter & { sellerId: string },
  range: ListRange,
): Promise<SellersList> {
  const { sellerId, statuses } = filter
  const [withdrawals, found, all, partlyReturned, availableCents, blockedCents, toComeCents] = await Promise.all([
    listWithdrawalRows(db, filter, range),
    hasKeptTotals(filter) ? null : readWithdrawalTotals(db, filter),
    readWithdrawalTotals(db, { sellerId }),
    sumPartlyReturned(db, sellerId),
    readSellerBalance(db, sellerId),
    readSellerBlocked(db, sellerId),
    readToCome(db, sellerId),
  ])
  await requireRowBefore(db, "withdrawals", range, withdrawals)
  return {
    withdrawals,
    results: sumUp(found ?? all.filter(({ status }) => statuses?.includes(status) ?? true)).count,
    summary: {
      availableCents,
      blockedCents,
      toComeCents,
      inProgressCents: sumUp(all.filter(({ status }) => underWay.includes(status))).amountCents,
      withdrawnCents: subtractCents(
        sumUp(all.filter(({ status }) => status === "completed")).amountCents,
        partlyReturned,
      ),
    },
  }
}

type Sum = Omit<WithdrawalTotals, "status">

export function sumUp(totals: readonly WithdrawalTotals[]): Sum {
  return {
    count: totals.reduce((sum, total) => sum + total.count, 0),
    amountCents: totals.reduce((sum, total) => addCents(sum, total.amountCents), noMoney),
  }
}

/** Withdrawals that await an admin. */
export async function readPendingWithdrawals(db: Db): Promise<Sum> {
  return sumUp(await readWithdrawalTotals(db, { statuses: ["pending"] }))
}

export type LastPaid = Pick<Selectable<Schema["withdrawals"]>, "id" | "pix_key" | "pix_key_kind" | "bank_data">

export type WithdrawalRow = Selectable<Schema["withdrawals"]>

async function findWithdrawal(db: Db, id: string): Promise<Withdrawal | null> {
  const row = await db.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toWithdrawal(row)
}

/** The first of the seller's withdrawals to this destination that failed, or came back, since then; null where none did. */
export async function findFailedSince(
  db: Db,
  { sellerId, destination, since }: { sellerId: string; destination: Destination; since: Date },
): Promise<Withdrawal | null> {
  const { rows } = await sql<WithdrawalRow>`
    select * from withdrawals
    where seller_id = ${sellerId} and (status = 'rejected' or returned_at is not null)
      and coalesce(returned_at, processed_at) >= ${since}
    order by coalesce(returned_at, processed_at), id`.execute(db)
  const target = targetOf(destination)
  return rows.map(toWithdrawal).find((each) => targetOf(each.destination) === target) ?? null
}

/** Clocks of two servers differ by less than a seller's withdrawals. */
const NEAREST = 3

/** The seller's withdrawals requested right before and after this one; those that came back whole paid nothing out. */
export async function findNearestWithdrawals(
  db: Db,
  { id, sellerId, createdAt }: Pick<Withdrawal, "id" | "sellerId" | "createdAt">,
): Promise<{ id: string; createdAt: Date }[]> {
  const paid = db
    .selectFrom("withdrawals")
    .select(["id", "created_at as createdAt"])
    .where("seller_id", "=", sellerId)
    .where("id", "<>", id)
    .where("status", "not in", ["rejected", "cancelled"])
    .limit(NEAREST)
  const [before, after] = await Promise.all([
    paid.where("created_at", "<", createdAt).orderBy("created_at", "desc").orderBy("id", "desc").execute(),
    paid.where("created_at", ">=", createdAt).orderBy("created_at").orderBy("id").execute(),
  ])
  return [...before, ...after]
}

/**
 * Whether the seller ever requested one in the browser that was paid to this destination, since it was removed where it was.
 */
export async function existsPaidFromBrowser(db: Db, sellerId: string, destination: Destination): Promise<boolean> {
  const isPix = destination.method === "pix"
  const [pixKey, bankData] = isPix ? [destination.pixKey.key, null] : [null, JSON.stringify(destination.bankData)]
  // Like the index; no Pix key looks like the JSON of bank data.
  const { rows } = await prepared<{ id: string }>("withdrawal-paid-from-browser")`
    select withdrawals.id
    from (select coalesce(${pixKey}::text, ${bankData}::jsonb::text) as text) given
    join withdrawals on md5(coalesce(pix_key, bank_data::text)) = md5(given.text)
      and coalesce(pix_key, bank_data::text) = given.text
    where seller_id = ${sellerId} and status = 'completed' and api_key_id is null
      and created_at > coalesce((
        select removed_at from destinations where seller_id = ${sellerId} and target = ${targetOf(destination)}
      ), '-infinity')
    limit 1`.execute(db)
  return rows.length > 0
}

export async function wasPaidOut(db: Db, sellerId: string): Promise<boolean> {
  const { rows } = await prepared<{ id: string }>("completed-withdrawal-of")`
    select id from withdrawals where seller_id = ${sellerId} and status = 'completed' limit 1`.execute(db)
  return rows.length > 0
}

export async function findProcessingByPayout(
  db: Db,
  { provider, payoutIds }: { provider: string; payoutIds: string[] },
): Promise<Withdrawal[]> {
  if (payoutIds.length === 0) return []
  const rows = await db
    .selectFrom("withdrawals")
    .selectAll()
    .where("payout_id", "in", payoutIds)
    .where("provider", "=", provider)
    .where("status", "=", "processing")
    .execute()
  return rows.map(toWithdrawal)
}

export async function findByPayoutIds(db: Db, payoutIds: string[]): Promise<Withdrawal[]> {
  if (payoutIds.length === 0) return []
  const rows = await db.selectFrom("withdrawals").selectAll().where("payout_id", "in", payoutIds).execute()
  return rows.map(toWithdrawal)
}

/** Payout ids of those that people settled as not paid since then. */
export async function findSettledAsNotPaid(
  db: Db,
  { provider, since }: { provider: string; since: Date },
): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string }>`
    select withdrawal.payout_id from hand_settlements said
    join withdrawals withdrawal on withdrawal.id = said.subject_id
    where said.subject = 'withdrawal' and said.outcome = 'not_paid' and said.settled_at >= ${since}
      and withdrawal.status = 'rejected' and withdrawal.provider = ${provider}
      and withdrawal.payout_id is not null`.execute(db)
  return rows.map((row) => row.payout_id)
}

export function toWithdrawal(row: WithdrawalRow): Withdrawal {
  return {
    id: row.id,
    sellerId: row.seller_id,
    amountCents: row.amount_cents,
    destination: destinationOf(row),
    payoutId: row.payout_id,
    status: row.status,
    isPaidByHand: row.method === "bank_transfer" || wasNeverToBeSent(row),
    provider: row.provider,
    endToEndId: row.end_to_end_id,
    adminNotes: row.admin_notes,
    failureReason: row.failure_reason,
    attempts: row.attempts,
    createdAt: row.created_at,
    approvedAt: row.approved_at,
    sentAt: row.sent_at,
    processedAt: row.processed_at,
    returnedCents: row.returned_cents,
    returnedAt: row.returned_at,
    returnReason: row.return_reason,
    sendingAt: row.sending_at,
    apiKeyId: row.api_key_id,
    heldUntil: row.held_until,
    holdReasons: row.hold_reasons as HoldReason[],
    wasSettledByHand: row.status === "completed" && row.sent_at !== null && row.settled_at === null,
    decidedBy: row.decided_by,
    firstApprovedBy: row.first_approved_by,
    requestMac: row.request_mac,
    approvalMac: row.approval_mac,
  }
}

function wasNeverToBeSent({ approved_at, next_attempt_at, attempts }: WithdrawalRow): boolean {
  return approved_at !== null && next_attempt_at === null && attempts === 0
}

export function destinationOf(row: Pick<WithdrawalRow, "pix_key" | "pix_key_kind" | "bank_data" | "id">): Destination {
  if (row.pix_key !== null && row.pix_key_kind !== null) {
    return { method: "pix", pixKey: { kind: row.pix_key_kind, key: row.pix_key } }
  }
  invariant(row.bank_data !== null, `${row.id} has no destination`)
  return { method: "bank_transfer", bankData: row.bank_data }
}

export async function findPastWithdrawals(db: Db, past: readonly PastRow[]): Promise<Map<number, Withdrawal>> {
  if (past.length === 0) return new Map()
  const { rows } = await sql<WithdrawalRow & { sequence: number }>`
    select past.sequence, was.* from ${pastRows("withdrawals", past)}`.execute(db)
  return new Map(rows.map((row) => [row.sequence, toWithdrawal(row)]))
}

export async function findHandSettlements(db: Db, subjectIds: readonly string[]): Promise<HandSettlement[]> {
  if (subjectIds.length === 0) return []
  const rows = await db.selectFrom("hand_settlements").selectAll().where("subject_id", "in", subjectIds).execute()
  return rows.map(toHandSettlement)
}

export function toHandSettlement(row: Selectable<Schema["hand_settlements"]>): HandSettlement {
  return {
    subjectId: row.subject_id,
    subject: row.subject,
    outcome: row.outcome,
    endToEndId: row.end_to_end_id,
    reason: row.reason,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at,
    confirmedBy: row.confirmed_by,
    settledAt: row.settled_at,
    mac: row.mac,
  }
}
