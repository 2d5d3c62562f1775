import { type FeeRule, feeOf } from "@tilinta/contract/vocabulary/fee"
import { type Cents, feeShareOf, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import {
  isOpenUnmatchedPayment,
  liveRefundStatuses,
  type UnmatchedPaymentReason,
  type UnmatchedPaymentStatus,
} from "@tilinta/contract/vocabulary/transactions"
import { type RawBuilder, type Selectable, sql } from "kysely"
import { comesAfter, holdsText, type ListRange, requireRowBefore } from "#db/list-range"
import { wordList } from "#db/prepared"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { isDebitTxid, isDueTxid, isId } from "#kit/ids"
import { readChargeTerms } from "#platform/settings/reads"
import { readUnmatchedPaymentTotalsOfPlatform } from "#platform/totals/totals"
import { type FeeColumns, feeColumnsOfCharge, feeRuleOf } from "#selling/charge-pages/fee-columns"
import { isUncredited, type UncreditedPayment, type UnmatchedPayment } from "./rules.ts"
import { findUncreditedRows, toUnmatchedPayment } from "./table.ts"

export interface UnmatchedPaymentWithEffects extends ListedUnmatchedPayment {
  suggestion: Suggestion | null
  effects: Record<Suggestion, Effect>
}

/** For admins, with totals of everything that the filter selects. */
export async function listUnmatchedPayments(
  db: Db,
  filter: UnmatchedPaymentFilter,
  range: ListRange,
): Promise<{ payments: UnmatchedPaymentWithEffects[]; totals: UnmatchedPaymentTotals[] }> {
  const [unmatchedPayments, totals, { fee }] = await Promise.all([
    listUnmatchedPaymentRows(db, filter, range),
    readUnmatchedPaymentTotals(db, filter),
    readChargeTerms(db, null),
  ])
  await requireRowBefore(db, "unmatched_payments", range, unmatchedPayments)
  return { payments: unmatchedPayments.map((unmatched) => withEffects(unmatched, fee)), totals }
}

export async function getUnmatchedPayment(db: Db, id: string): Promise<UnmatchedPaymentWithEffects> {
  if (!isId(id)) throw new DomainError("unmatched_payment_not_found")
  const [unmatched, { fee }] = await Promise.all([findListedUnmatchedPayment(db, id), readChargeTerms(db, null)])
  if (unmatched === null) throw new DomainError("unmatched_payment_not_found")
  return withEffects(unmatched, fee)
}

function withEffects(unmatched: ListedUnmatchedPayment, fee: FeeRule): UnmatchedPaymentWithEffects {
  return { ...unmatched, suggestion: suggestionFor(unmatched), effects: effectsOf(unmatched, fee) }
}

interface UnmatchedPaymentFilter {
  statuses: readonly UnmatchedPaymentStatus[]
  reason?: UnmatchedPaymentReason | undefined
  search?: string | undefined
}

/** The charge named by the payment, the one that is suggested for it, or the one it was accepted as. */
interface UnmatchedPaymentCharge {
  id: string
  pageId: string | null
  pageTitle: string
  amountCents: Cents
  fee: FeeRule
  /** Refunds, completed or under way, and their share of the fee. */
  live: { grossCents: Cents; feeCents: Cents }
  feeCents: Cents
}

interface ListedUnmatchedPayment extends UnmatchedPayment {
  txid: string | null
  amountCents: Cents
  /** The part of an uncredited payment that was already returned. */
  returnedCents: Cents
  paidAt: Date
  charge: UnmatchedPaymentCharge | null
  seller: { id: string; name: string; email: string } | null
}

interface UnmatchedPaymentTotals {
  reason: UnmatchedPaymentReason
  count: number
  amountCents: Cents
}

type Row = Selectable<Schema["unmatched_payments"]> &
  FeeColumns & {
    returned_cents: Cents
    charge_id: string | null
    page_id: string | null
    page_title: string
    charge_cents: Cents
    charge_fee_cents: Cents
    live_cents: Cents
    live_fee_cents: Cents
    seller_id: string | null
    seller_name: string
    seller_email: string
  }

const found = sql`unmatched_payments unmatched
  left join charges suggested on suggested.id = unmatched.suggested_charge_id and suggested.paid_at is null
  left join charges charge on charge.id = coalesce(unmatched.accepted_charge_id, unmatched.named_charge_id, suggested.id)
  left join users seller on seller.id = charge.seller_id`

const searchedColumns = ["unmatched.end_to_end_id", "unmatched.txid", "seller.name", "seller.email"]

function conditions({ statuses, reason, search }: UnmatchedPaymentFilter): RawBuilder<unknown> {
  const conditions = [sql`unmatched.status = any(${statuses}::text[])`]
  if (reason !== undefined) conditions.push(sql`unmatched.reason = ${reason}`)
  if (search) conditions.push(holdsText(searchedColumns, search))
  return sql.join(conditions, sql` and `)
}

/** Oldest first, so that the longest waiting is handled first. */
async function listUnmatchedPaymentRows(
  db: Db,
  filter: UnmatchedPaymentFilter,
  { offset, limit, after }: ListRange,
): Promise<ListedUnmatchedPayment[]> {
  const further =
    after === undefined ? sql`` : sql` and ${comesAfter("unmatched_payments", "unmatched", after, "oldest")}`
  return readRows(
    db,
    sql`${conditions(filter)}${further} order by unmatched.received_at, unmatched.id limit ${limit} offset ${offset}`,
  )
}

async function findListedUnmatchedPayment(db: Db, id: string): Promise<ListedUnmatchedPayment | null> {
  const [unmatched] = await readRows(db, sql`unmatched.id = ${id}`)
  return unmatched ?? null
}

async function readRows(db: Db, which: RawBuilder<unknown>): Promise<ListedUnmatchedPayment[]> {
  const { rows } = await sql<Row>`
    select unmatched.*, charge.id as charge_id, charge.page_id, charge.page_title,
      charge.amount_cents as charge_cents, ${feeColumnsOfCharge}, charge.fee_cents as charge_fee_cents,
      seller.id as seller_id, seller.name as seller_name, seller.email as seller_email,
      coalesce(refunded.uncredited, 0)::bigint as returned_cents,
      coalesce(refunded.gross, 0)::bigint as live_cents, coalesce(refunded.fee, 0)::bigint as live_fee_cents
    from ${found}
    left join lateral (
      select sum(refund.amount_cents) filter (where refund.charge_id is null and refund.status = 'completed')
          as uncredited,
        sum(refund.amount_cents) filter (where refund.charge_id is not null) as gross, sum(refund.fee_cents) as fee
      from refunds refund
      where refund.end_to_end_id = unmatched.end_to_end_id and refund.status in ${wordList(liveRefundStatuses)}
    ) refunded on true
    where ${which}`.execute(db)
  return rows.map(toListedUnmatchedPayment)
}

/** Exact totals per reason of everything that the filter finds. Only a search scans rows. */
async function readUnmatchedPaymentTotals(db: Db, filter: UnmatchedPaymentFilter): Promise<UnmatchedPaymentTotals[]> {
  if (filter.search) return countFoundUnmatchedPayments(db, filter)
  const totals = await readUnmatchedPaymentTotalsOfPlatform(db, filter.statuses)
  const wanted = totals.filter(({ reason }) => filter.reason === undefined || reason === filter.reason)
  return wanted.map(({ reason, count, grossCents }) => ({ reason, count, amountCents: grossCents }))
}

async function countFoundUnmatchedPayments(db: Db, filter: UnmatchedPaymentFilter): Promise<UnmatchedPaymentTotals[]> {
  const { rows } = await sql<{ reason: UnmatchedPaymentReason; count: number; amount_cents: Cents }>`
    select unmatched.reason, count(*) as count, sum(unmatched.amount_cents)::bigint as amount_cents
    from ${found} where ${conditions(filter)} group by unmatched.reason`.execute(db)
  return rows.map((row) => ({ reason: row.reason, count: row.count, amountCents: row.amount_cents }))
}

function toListedUnmatchedPayment(row: Row): ListedUnmatchedPayment {
  return {
    ...toUnmatchedPayment(row),
    txid: row.txid,
    amountCents: row.amount_cents,
    returnedCents: row.returned_cents,
    paidAt: row.paid_at,
    charge: chargeOf(row),
    seller: row.seller_id === null ? null : { id: row.seller_id, name: row.seller_name, email: row.seller_email },
  }
}

function chargeOf(row: Row): UnmatchedPaymentCharge | null {
  if (row.charge_id === null) return null
  return {
    id: row.charge_id,
    pageId: row.page_id,
    pageTitle: row.page_title,
    amountCents: row.charge_cents,
    fee: feeRuleOf(row),
    feeCents: row.charge_fee_cents,
    live: { grossCents: row.live_cents, feeCents: row.live_fee_cents },
  }
}

export interface Candidate {
  unmatchedId: string
  endToEndId: string
  chargeId: string
  txid: string
}

interface CandidatesQuery {
  provider: string
  receivedAfter: Date
  receivedBefore: Date
}

const MOST_CANDIDATES = 20
/** Clocks of a bank and ours differ by this much without any fault. */
const SKEW_SECONDS = 120

/** Open charges that payments without a charge may be for: of the same provider and amount, and there when it was paid. */
export async function findCandidates(
  db: Db,
  { provider, receivedAfter, receivedBefore }: CandidatesQuery,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select unmatched.id as "unmatchedId", unmatched.end_to_end_id as "endToEndId", charge.id as "chargeId", charge.txid
    from unmatched_payments unmatched
    join payments payment on payment.end_to_end_id = unmatched.end_to_end_id
    cross join lateral (
      select named.id, named.txid
      from open_charges open join charges named on named.id = open.charge_id
      where named.status = 'pending' and named.provider = payment.provider and named.amount_cents = payment.amount_cents
        and open.created_at <= payment.paid_at + ${SKEW_SECONDS} * interval '1 second'
        and open.expires_at >= payment.paid_at
      order by open.created_at desc limit ${MOST_CANDIDATES}
    ) charge
    where unmatched.status = 'open' and unmatched.reason = 'unknown_txid' and unmatched.suggested_charge_id is null
      and payment.charge_id is null and payment.provider = ${provider}
      and unmatched.received_at > ${receivedAfter} and unmatched.received_at <= ${receivedBefore}`.execute(db)
  return rows
}

/** By id. */
export async function findUncreditedPayments(db: Db, ids: readonly string[]): Promise<Map<string, UncreditedPayment>> {
  return findUncreditedRows(db, ids)
}

/** The effect on each side; a negative amount is debited. */
interface Effect {
  sellerGetsCents: Cents
  feeCents: Cents
  payerGetsCents: Cents
}

type Suggestion = "accept" | "return"

const nothing: Effect = { sellerGetsCents: noMoney, feeCents: noMoney, payerGetsCents: noMoney }

/**
 * Late money was asked for, as was that of a suggested charge: accepting is suggested; otherwise returning. So is that of an
 * invoice whose bank computed more than its original amount. A debit that was called off is returned. Null once decided.
 */
function suggestionFor(unmatched: ListedUnmatchedPayment): Suggestion | null {
  const { status, reason, charge, txid, amountCents } = unmatched
  if (!isOpenUnmatchedPayment(status)) return null
  if (reason === "wrong_amount" && charge !== null && isDueTxid(txid)) {
    return amountCents >= charge.amountCents ? "accept" : "return"
  }
  return (reason === "late" && !isDebitTxid(txid)) || (reason === "unknown_txid" && charge !== null)
    ? "accept"
    : "return"
}

/** The effects of both decisions if taken now. `fee` is the platform's of today, for money without a charge; a seller who is chosen may have their own. */
function effectsOf(unmatched: ListedUnmatchedPayment, fee: FeeRule): Record<Suggestion, Effect> {
  if (!isOpenUnmatchedPayment(unmatched.status)) return { accept: nothing, return: nothing }
  return isUncredited(unmatched) ? uncreditedEffects(unmatched, fee) : creditedEffects(unmatched)
}

function uncreditedEffects(unmatched: ListedUnmatchedPayment, fee: FeeRule): Record<Suggestion, Effect> {
  const leftCents = subtractCents(unmatched.amountCents, unmatched.returnedCents)
  const feeCents = feeOf(unmatched.charge?.fee ?? fee, leftCents)
  return {
    accept: { sellerGetsCents: subtractCents(leftCents, feeCents), feeCents, payerGetsCents: noMoney },
    return: { ...nothing, payerGetsCents: leftCents },
  }
}

function creditedEffects({ charge }: ListedUnmatchedPayment): Record<Suggestion, Effect> {
  if (charge === null) return { accept: nothing, return: nothing }
  const leftCents = subtractCents(charge.amountCents, charge.live.grossCents)
  const paid = { grossCents: charge.amountCents, feeCents: charge.feeCents }
  const feeCents = feeShareOf(leftCents, paid, charge.live)
  const back: Effect = {
    sellerGetsCents: subtractCents(noMoney, subtractCents(leftCents, feeCents)),
    feeCents: subtractCents(noMoney, feeCents),
    payerGetsCents: leftCents,
  }
  return { accept: nothing, return: back }
}
