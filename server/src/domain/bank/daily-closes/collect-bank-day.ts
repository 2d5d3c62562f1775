import type { CloseKind } from "@tilinta/contract/vocabulary/daily-close"
import { bookPayments } from "#domain/money/payments/book-payments"
import { findBookedReceipts } from "#domain/money/payments/find-booked"
import { findCompletedRefunds } from "#domain/money/refunds/find-completed-refunds"
import { recordReportedRefunds } from "#domain/money/refunds/record-reported-refunds"
import { secondsAfter } from "#kit/clock"
import { askAboutSettledAsNotPaid, recordPaidAfterRefusal, recordReturnedPayouts } from "#money/withdrawals/came-back"
import { settleReportedPayouts } from "#money/withdrawals/pay"
import {
  type ListedPayout,
  type PaymentReceived,
  PspError,
  type PspPayout,
  type PspRefund,
  type PspWindow,
} from "#psp/psp"
import type { BankEntry, Comparison } from "./close-comparison-repository.ts"
import { type CloseDeps, refundReference } from "./daily-close.ts"

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
    const booked = await findBookedReceipts(deps.db, ids)
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

export function endedIds(listed: ListedPayout[]): string[] {
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
export function referenceOf({ payoutId, endToEndId }: ListedPayout): string {
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
