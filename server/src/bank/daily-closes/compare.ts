import type { CloseKind, DifferenceProblem } from "@tilinta/contract/vocabulary/books"
import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawals"
import { readPayoutsSeenUntil, savePayoutsSeenUntil } from "#bank/psp-inbox/connection"
import { beginPoll, believableSeenUntil } from "#bank/psp-inbox/follow-receipts"
import { recordUnreadable } from "#bank/reconciliation/reconcile"
import type { Tx } from "#db/transaction"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import { bookPayments } from "#money/payments/book"
import { findBookedIds } from "#money/payments/reads"
import { findCompletedRefunds } from "#money/refunds/list"
import { recordReportedRefunds } from "#money/refunds/reported"
import { askAboutSettledAsNotPaid, recordPaidAfterRefusal, recordReturnedPayouts } from "#money/withdrawals/came-back"
import { findWithdrawalsOfPayouts } from "#money/withdrawals/operator-reads"
import { settleReportedPayouts } from "#money/withdrawals/pay"
import type { Withdrawal } from "#money/withdrawals/withdrawal"
import {
  type ListedPayout,
  latestTime,
  type PaymentReceived,
  PspError,
  type PspPayout,
  type PspRefund,
  type PspWindow,
} from "#psp/psp"
import type { BankEntry, Comparison } from "./compare-table.ts"
import { notifyAdminsOfClose } from "./daily-close.ts"
import { countDifferences } from "./reads.ts"
import { type CloseDeps, type CloseDifference, comparableFrom, refundReference } from "./rules.ts"
import { insertDaysOnce, insertDifferenceOnce, lockCloseOfDay, updateClose } from "./table.ts"

/** Stores entries of the bank, and those that we lacked and booked now. */
export type Collect = (entries: BankEntry[], mended: BankEntry[]) => Promise<void>

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS
/** A list's time and an entry's own may differ a little. */
const MARGIN_SECONDS = HOUR_SECONDS
/** A payment may be refunded for 90 days, and a refund by the bank ends some days later. */
const REFUNDABLE_DAYS = 120
/** Payouts are listed by time of request, and some settle days later. */
const SETTLING_DAYS = 3
const RETURNABLE_DAYS = 95

/**
 * Receipts of the day, and refunds of all payments that may still be refunded, because few providers list refunds by
 * day.
 */
export async function collectReceipts(deps: CloseDeps, { from, to }: Comparison, collect: Collect): Promise<void> {
  const end = secondsAfter(to, MARGIN_SECONDS)
  const { psp } = deps
  await collectPages(deps, psp.listReceipts({ from: secondsAfter(from, -MARGIN_SECONDS), to: end }), collect)
  if (psp.listRefundedReceipts === null) return
  const refundable = { from: secondsAfter(from, -REFUNDABLE_DAYS * DAY_SECONDS), to: end }
  await collectPages(deps, psp.listRefundedReceipts(refundable), collect)
}

/**
 * Processes page by page, so that memory doesn't grow with the day. Missing entries are booked by the ordinary verbs.
 */
async function collectPages(deps: CloseDeps, pages: AsyncIterable<PaymentReceived[]>, collect: Collect): Promise<void> {
  for await (const receipts of pages) {
    const ids = receipts.map(({ endToEndId }) => endToEndId)
    const booked = await findBookedIds(deps.db, ids)
    const returned = await findCompletedRefunds(deps.db, ids)
    const missing = receipts.filter(({ endToEndId }) => !booked.has(endToEndId))
    await bookPayments(deps, missing)
    const failed = await recordReportedRefunds(deps, receipts)
    const refunds = receipts.flatMap((receipt) => refundEntries(receipt))
    const isMended = ({ entry, endToEndId }: (typeof refunds)[number]) =>
      entry.state === "completed" && !returned.has(entry.reference) && !failed.has(endToEndId)
    await collect(
      [...receipts.map(receiptEntry), ...refunds.map(({ entry }) => entry)],
      [...missing.map(receiptEntry), ...refunds.filter(isMended).map(({ entry }) => entry)],
    )
  }
}

export async function collectPayouts(deps: CloseDeps, { from, to }: Comparison, collect: Collect): Promise<void> {
  const { payouts } = deps.psp
  if (payouts === null) return
  const window = { from: secondsAfter(from, -SETTLING_DAYS * DAY_SECONDS), to: secondsAfter(to, MARGIN_SECONDS) }
  for await (const listed of payouts.list(window)) {
    await settleReportedPayouts(deps, endedIds(listed))
    const paid = await recordPaidAfterRefusal(deps, listed)
    const cameBack = await recordReturnedPayouts(deps, listed)
    await collect(listed.map(listedPayoutEntry), [...paid.map(listedPayoutEntry), ...cameBackEntries(cameBack)])
  }
  await askAboutSettledAsNotPaid(deps)
  await collectLateReturns(deps, { from: secondsAfter(from, -RETURNABLE_DAYS * DAY_SECONDS), to: window.from }, collect)
}

/** Receivers may send a Pix back for 90 days. A bank that refuses so long a list stops no close. */
async function collectLateReturns(deps: CloseDeps, window: PspWindow, collect: Collect): Promise<void> {
  const { payouts, name } = deps.psp
  if (payouts?.reportsReturns !== true) return
  try {
    for await (const listed of payouts.list(window)) {
      await collect([], cameBackEntries(await recordReturnedPayouts(deps, listed)))
    }
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    deps.log.warn({ err: error, provider: name }, "older payouts could not be looked through for returns")
  }
}

/** Returns that this comparison was the first to credit. */
function cameBackEntries(cameBack: readonly ListedPayout[]): BankEntry[] {
  return cameBack.map(({ payoutId, returned, ...payout }) => ({
    ...payoutEntry(`${payoutId}/devolvido`, payout),
    happenedAt: returned?.at ?? null,
  }))
}

/** Queries entries of ours that no list had, one by one. Null when the bank doesn't know it. */
export async function askByName(
  { psp }: CloseDeps,
  { kind, reference }: { kind: CloseKind; reference: string },
): Promise<BankEntry | null> {
  if (kind === "receipt") {
    const receipt = await psp.findReceipt(reference)
    return receipt === null ? null : receiptEntry(receipt)
  }
  if (kind === "refund") {
    const [endToEndId = "", ...name] = reference.split("/")
    const refund = await psp.findRefund({ endToEndId, pspRefundId: name.join("/") })
    return refund === null ? null : refundEntry(endToEndId, refund)
  }
  const payout = (await psp.payouts?.find(reference)) ?? null
  return payout === null ? null : payoutEntry(reference, payout)
}

function endedIds(listed: ListedPayout[]): string[] {
  return listed.flatMap(({ payoutId, state }) => (payoutId === null || state === "under-way" ? [] : [payoutId]))
}

function receiptEntry({ endToEndId, amountCents, paidAt }: PaymentReceived): BankEntry {
  return { kind: "receipt", reference: endToEndId, amountCents, state: "completed", happenedAt: paidAt }
}

function refundEntries({ endToEndId, refunds }: PaymentReceived): { endToEndId: string; entry: BankEntry }[] {
  return refunds.map((refund) => ({ endToEndId, entry: refundEntry(endToEndId, refund) }))
}

function refundEntry(endToEndId: string, { pspRefundId, amountCents, state, settledAt }: PspRefund): BankEntry {
  const reference = refundReference(endToEndId, pspRefundId)
  return { kind: "refund", reference, amountCents, state, happenedAt: settledAt }
}

/** A payout sent by hand has no id of ours, so its endToEndId is used. */
function referenceOf({ payoutId, endToEndId }: ListedPayout): string {
  return payoutId ?? endToEndId ?? "sem identificação"
}

/** An unknown payout has no time of ours to fall back on. */
function listedPayoutEntry(listed: ListedPayout): BankEntry {
  const { settledAt, requestedAt, payoutId } = listed
  const entry = payoutEntry(referenceOf(listed), listed)
  return payoutId === null ? { ...entry, happenedAt: settledAt ?? requestedAt } : entry
}

function payoutEntry(reference: string, { amountCents, state, settledAt }: PspPayout): BankEntry {
  return { kind: "payout", reference, amountCents, state, happenedAt: settledAt }
}

/** Payouts that end later are queried by id; those listed later still are found by the daily close. */
const OVERLAP_SECONDS = 3600
const AHEAD_SECONDS = 120

/**
 * Fetches the provider's payouts since the last run, with an overlap. Ours that ended are settled; unknown or
 * contradicting ones are never booked, but become a difference of their day, and an alarm.
 */
export async function reconcilePayouts(deps: CloseDeps): Promise<void> {
  const { db, psp } = deps
  if (psp.payouts === null) return
  const seenUntil = believableSeenUntil(deps, "payouts", await readPayoutsSeenUntil(db, psp.name))
  const endPoll = beginPoll(deps)
  const window = { from: secondsAfter(seenUntil, -OVERLAP_SECONDS), to: secondsAfter(latestTime(deps), AHEAD_SECONDS) }
  for await (const listed of psp.payouts.list(window)) {
    await settleReportedPayouts(deps, endedIds(listed))
    await namePaidAfterRefusal(deps, await recordPaidAfterRefusal(deps, listed))
    await recordReturnedPayouts(deps, listed)
    await nameDifferences(deps, listed)
  }
  await recordUnreadable(deps)
  const seen = endPoll()
  await db.transaction().execute((tx) => savePayoutsSeenUntil(tx, psp.name, seen))
}

/** It is booked and its seller has been told; the day's close shows it to the admins. */
async function namePaidAfterRefusal({ db, psp, clock }: CloseDeps, booked: readonly ListedPayout[]): Promise<void> {
  const now = clock.now()
  for (const payout of booked) {
    const found = { payout, ourCents: payout.amountCents, ourState: "rejected", problem: "other_state" } as const
    const difference = differenceOf(found, { now, isMended: true })
    await db.transaction().execute((tx) => recordDifference(tx, psp, difference, now))
  }
}

async function nameDifferences(deps: CloseDeps, listed: ListedPayout[]): Promise<void> {
  const ids = listed.flatMap(({ payoutId }) => payoutId ?? [])
  const ours = await findWithdrawalsOfPayouts(deps.db, ids)
  for (const payout of listed) {
    const known = payout.payoutId === null ? undefined : ours.get(payout.payoutId)
    const problem = problemOf(payout, known)
    if (problem === null) continue
    await nameDifference(deps, {
      payout,
      ourCents: known?.amountCents ?? null,
      ourState: known?.status ?? null,
      problem,
    })
  }
}

const isNeverPaid = {
  pending: true,
  approved: false,
  processing: false,
  completed: false,
  rejected: true,
  cancelled: true,
} as const satisfies Record<WithdrawalStatus, boolean>

/** An approved, unsent withdrawal adopts the bank's payout of its id: a restored backup looks like that. */
function problemOf({ state, amountCents }: ListedPayout, known: Withdrawal | undefined): DifferenceProblem | null {
  if (known === undefined) return state === "refused" ? null : "missing_with_us"
  if (amountCents !== null && amountCents !== known.amountCents) return "other_amount"
  const hasEndedOtherwise =
    (state === "completed" && isNeverPaid[known.status] && known.returnedCents === noMoney) ||
    (state === "refused" && known.status === "completed")
  return hasEndedOtherwise ? "other_state" : null
}

interface Found {
  payout: ListedPayout
  ourCents: Cents | null
  ourState: WithdrawalStatus | null
  problem: DifferenceProblem
}

function differenceOf(
  { payout, ...found }: Found,
  { now, isMended }: { now: Date; isMended: boolean },
): CloseDifference {
  return {
    ...found,
    kind: "payout",
    reference: referenceOf(payout),
    bankCents: payout.amountCents,
    bankState: payout.state,
    happenedAt: payout.settledAt ?? payout.requestedAt ?? now,
    isMended,
  }
}

async function nameDifference({ db, psp, clock, log }: CloseDeps, found: Found): Promise<void> {
  const now = clock.now()
  const difference = differenceOf(found, { now, isMended: false })
  const isNew = await db.transaction().execute((tx) => recordDifference(tx, psp, difference, now))
  if (!isNew) return
  const { reference, problem } = difference
  log.error({ alarm: "payout_differs", reference, problem }, "the bank's list of payouts differs from ours")
}

type Provider = Pick<CloseDeps["psp"], "name" | "label">

/** Runs under the day's lock, which its comparison takes too, so that the count matches the rows. */
async function recordDifference(tx: Tx, provider: Provider, difference: CloseDifference, now: Date): Promise<boolean> {
  const day = saoPauloDay(difference.happenedAt ?? now)
  await insertDaysOnce(tx, provider.name, [{ day, nextAttemptAt: comparableFrom(day) }])
  const close = await lockCloseOfDay(tx, provider.name, day)
  invariant(close !== null, `no row of ${day}`)
  if (!(await insertDifferenceOnce(tx, close.id, difference, now))) return false
  const { open, mended } = await countDifferences(tx, close.id)
  const counted = await updateClose(tx, close.id, { difference_count: open, mended_count: mended })
  await notifyAdminsOfClose(tx, counted, { providerLabel: provider.label, now })
  return true
}
