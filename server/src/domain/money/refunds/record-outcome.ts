import { isRefundUnderWay } from "@tilinta/contract/vocabulary/refund-status"
import type { Tx } from "#db/transaction"
import { settleBlocks } from "#domain/money/disputes/settle-blocks"
import { findPayment } from "#domain/money/payments/find-payment"
import { closeRefundedUnmatchedPayment, reopenUnmatchedPayment } from "#domain/money/unmatched-payments/follow-refund"
import { lockUnmatchedPayment } from "#domain/money/unmatched-payments/lock-unmatched-payment"
import type { UnmatchedPayment } from "#domain/money/unmatched-payments/unmatched-payment"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import type { Charge } from "#domain/selling/charges/charge"
import { lockCharge } from "#domain/selling/charges/lock-charge"
import { recordRefunded } from "#domain/selling/charges/record-refunded"
import { invariant } from "#kit/invariant"
import type { LedgerTransaction } from "#ledger/post-transactions"
import { postDrawing } from "#money/reserves/move"
import type { PspRefund } from "#psp/psp"
import type { Refund } from "./refund.ts"
import { refundAuditOf } from "./refund-audit.ts"
import { refundMails } from "./refund-mails.ts"
import { byBankPostings, completedRefundPostings, returnedPostings } from "./refund-postings.ts"
import { findRefundRow, lockRefundRow, sumReturnedOfUncredited, updateRefund } from "./refunds-repository.ts"

/**
 * Records the provider's final outcome of a refund that we requested. A repeated call finds it settled and moves
 * nothing. Unmatched payments before charges before refunds: every writer takes its locks in this order.
 */
export async function recordOutcome(tx: Tx, asked: Refund, outcome: PspRefund, recorded: Recorded): Promise<void> {
  const unmatched = await lockUnmatchedPayment(tx, asked.endToEndId)
  const charge = asked.chargeId === null ? null : await lockCharge(tx, asked.chargeId)
  const refund = await lockRefundRow(tx, asked.id)
  invariant(refund !== null && outcome.state !== "under-way", `refund ${asked.id} has no outcome`)
  if (refund.status === "completed") return
  if (outcome.state === "completed") return complete(tx, { refund, charge, unmatched }, outcome, recorded)
  if (isRefundUnderWay(refund.status)) await giveBack(tx, { refund, charge, unmatched }, outcome, recorded)
}

interface Recorded {
  now: Date
  /** The admin who says so in the bank's place; null for the bank's own answer. */
  by: Actor | null
}

/** Takes all locks of an outcome, in their order. */
export async function lockRefundWithPayment(tx: Tx, id: string): Promise<Refund | null> {
  const known = await findRefundRow(tx, id)
  if (known === null) return null
  await lockUnmatchedPayment(tx, known.endToEndId)
  if (known.chargeId !== null) await lockCharge(tx, known.chargeId)
  return lockRefundRow(tx, id)
}

interface Locked {
  refund: Refund
  charge: Charge | null
  unmatched: UnmatchedPayment | null
}

/** Also after a refusal that was taken as final: money that has left is booked as a debit by the bank. */
async function complete(
  tx: Tx,
  locked: Locked,
  { returnId, settledAt }: PspRefund,
  { now, by }: Recorded,
): Promise<void> {
  const { refund } = locked
  const changes = {
    status: "completed",
    processed_at: now,
    settled_at: by === null ? (settledAt ?? now) : null,
    next_attempt_at: null,
    return_id: returnId,
  } as const
  const completed = await updateRefund(tx, refund.id, changes)
  await followRefund(tx, { ...locked, refund: completed }, now)
  const isOverruled = refund.status === "refused"
  await postDrawing(tx, [
    isOverruled ? byBankPostings(completed, now) : completedRefundPostings(completed, now),
    ...(await settleBlocksOf(tx, locked, now)),
  ])
  await recordAudit(tx, refundAuditOf("refund.completed", refund, completed, by, now))
}

/** Consequences of money returned, whoever began it. They lock totals, so they come before the ledger. */
export async function followRefund(tx: Tx, { refund, charge, unmatched }: Locked, now: Date): Promise<void> {
  const refunded = charge === null ? null : await recordRefunded(tx, charge, refund, now)
  await enqueueMails(tx, refundMails(refund, refunded, now), now)
  if (unmatched === null) return
  const isWhole = refunded === null ? await isAllReturned(tx, refund) : refunded.status === "refunded"
  await closeRefundedUnmatchedPayment(tx, unmatched, { refundId: refund.id, isWhole })
}

/** The payment's remaining amount has changed, and with it the amounts to block. */
async function settleBlocksOf(tx: Tx, { refund, charge }: Locked, now: Date): Promise<LedgerTransaction[]> {
  const payment = await findPayment(tx, refund.endToEndId)
  invariant(payment !== null, `refund ${refund.id} has no payment`)
  return settleBlocks(tx, { payment, charge }, now)
}

async function isAllReturned(tx: Tx, { endToEndId }: Refund): Promise<boolean> {
  const payment = await findPayment(tx, endToEndId)
  return payment?.amountCents === (await sumReturnedOfUncredited(tx, endToEndId))
}

async function giveBack(tx: Tx, locked: Locked, { reason }: PspRefund, { now, by }: Recorded): Promise<void> {
  const { refund, unmatched } = locked
  const refused = await updateRefund(tx, refund.id, {
    status: "refused",
    processed_at: now,
    next_attempt_at: null,
    failure_reason: reason ?? "O banco recusou o estorno.",
  })
  await postDrawing(tx, [returnedPostings(refused, now), ...(await settleBlocksOf(tx, locked, now))])
  await recordAudit(tx, refundAuditOf("refund.refused", refund, refused, by, now))
  if (unmatched !== null) await reopenUnmatchedPayment(tx, unmatched, refund.id)
}
