import { addCents, type Cents, feeShareOf, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { invariant } from "#kit/errors"
import { isDebitTxid, newId } from "#kit/ids"
import { disputeOfDebit, payFromBlocked, settleBlocks } from "#money/disputes/blocks"
import type { Dispute } from "#money/disputes/rules"
import { postDrawing } from "#money/reserves/move"
import { lockPayment } from "#money/unmatched-payments/unmatched"
import { recordAudit } from "#platform/audit/record"
import type { PaymentReceived, PspRefund } from "#psp/psp"
import type { Charge } from "#selling/charges/rules"
import { restMandateOfTxid } from "#selling/mandates/manage"
import { refundAuditOf } from "./list.ts"
import { findCompletedNames, findNamedRefund, listRefundsOfCharge, sumLiveRefunds } from "./reads.ts"
import { byBankPostings, type Refund } from "./rules.ts"
import { followRefund, recordOutcome } from "./settle.ts"
import { insertRefundOnce, lockHandDebit, updateRefund } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  log: Logger
}

interface ReportedRefund {
  endToEndId: string
  reported: PspRefund
}

/**
 * Books refunds that the provider reports, each exactly once however often reported: our own are settled, others were
 * begun by the bank. Their payments must be booked already. A failure stops no other; returns the payments whose
 * refunds must be retried.
 */
export async function recordReportedRefunds(deps: Deps, receipts: PaymentReceived[]): Promise<Set<string>> {
  const failed = new Set<string>()
  for (const reported of await findNewRefunds(deps.db, receipts)) {
    await recordOne(deps, reported).catch((error: unknown) => {
      deps.log.error({ err: error, alarm: "refund_not_booked" }, "a refund that the provider reported is not booked")
      failed.add(reported.endToEndId)
    })
  }
  return failed
}

async function findNewRefunds(db: Db, receipts: PaymentReceived[]): Promise<ReportedRefund[]> {
  const reported = receipts.flatMap(({ endToEndId, refunds }) =>
    refunds.filter(({ state }) => state !== "under-way").map((refund) => ({ endToEndId, reported: refund })),
  )
  const names = await findCompletedNames(db, [...new Set(reported.map(({ endToEndId }) => endToEndId))])
  const known = new Set(names.map(({ endToEndId, pspRefundId }) => `${endToEndId}/${pspRefundId}`))
  return reported.filter((each) => !known.has(`${each.endToEndId}/${each.reported.pspRefundId}`))
}

async function recordOne({ db, clock, log }: Deps, { endToEndId, reported }: ReportedRefund): Promise<void> {
  const now = clock.now()
  const ours = await findNamedRefund(db, endToEndId, reported.pspRefundId)
  if (ours === null && reported.state === "refused") return
  if (ours === null)
    return db.transaction().execute((tx) => recordByBank(tx, { endToEndId, reported, dispute: null }, now))
  invariant(reported.amountCents === null || reported.amountCents === ours.amountCents, `${ours.id} has another amount`)
  if (ours.status === "refused" && reported.state === "completed") {
    log.error({ alarm: "refused_refund_paid", refundId: ours.id }, "the provider paid a refund that it had refused")
  }
  if (ours.status === "processing" || reported.state === "completed") {
    await db.transaction().execute((tx) => recordOutcome(tx, ours, reported, { now, by: null }))
  }
}

interface TakenByBank extends ReportedRefund {
  /** The dispute that caused it, if known. */
  dispute: Dispute | null
}

/** A dispute or the bank's own error: the money has already left, so it is booked whatever the seller's balance. */
export async function recordByBank(tx: Tx, taken: TakenByBank, now: Date): Promise<void> {
  const { endToEndId, reported } = taken
  const locked = await lockPayment(tx, endToEndId)
  invariant(locked !== null && reported.amountCents !== null, `no payment ${endToEndId} for the refund by the bank`)
  const { payment, charge } = locked
  if (taken.dispute === null && (await nameHandDebit(tx, endToEndId, reported))) return
  // Without a stated reason a dispute is assumed: less is then blocked for it, and nothing is taken twice.
  const isDispute = reported.isDispute ?? true
  const dispute = taken.dispute ?? (isDispute ? await disputeOfDebit(tx, endToEndId, reported.amountCents) : null)
  const refund: Refund = {
    id: newId(),
    endToEndId,
    pspRefundId: reported.pspRefundId,
    provider: payment.provider,
    chargeId: charge?.id ?? null,
    sellerId: charge?.sellerId ?? null,
    amountCents: reported.amountCents,
    feeCents: charge === null ? noMoney : await feeTaken(tx, charge, reported.amountCents),
    origin: "bank",
    status: "completed",
    reason: "",
    failureReason: null,
    returnId: reported.returnId,
    requestedBy: null,
    isDispute,
    disputeId: dispute?.id ?? null,
    attempts: 0,
    createdAt: now,
    processedAt: now,
    settledAt: reported.settledAt ?? now,
    sendingAt: null,
    mac: null,
  }
  if (!(await insertRefundOnce(tx, refund))) return
  // One that was known has rested it, and its seller may have looked since.
  if (isDispute && dispute === null && isDebitTxid(payment.txid)) await restMandateOfTxid(tx, payment.txid, now)
  await followRefund(tx, { ...locked, refund }, now)
  const fromBlockedCents = await payFromBlocked(tx, dispute, refund, now)
  await postDrawing(tx, [
    { ...byBankPostings(refund, reported.settledAt ?? now, fromBlockedCents), bookedAt: now },
    ...(await settleBlocks(tx, locked, now)),
  ])
  await recordAudit(tx, refundAuditOf("refund.by_bank", null, refund, null, now))
}

/** True when an admin has already booked the debit by hand: then only its id is added. */
async function nameHandDebit(tx: Tx, endToEndId: string, reported: PspRefund): Promise<boolean> {
  const booked = await lockHandDebit(tx, endToEndId, reported.amountCents)
  if (booked === null) return false
  await updateRefund(tx, booked.id, { psp_refund_id: reported.pspRefundId, return_id: reported.returnId })
  return true
}

/** Refunds that we requested and that the bank will now refuse are left out. */
async function feeTaken(tx: Tx, charge: Charge, amountCents: Cents): Promise<Cents> {
  const paid = { grossCents: charge.amountCents, feeCents: charge.feeCents }
  const live = await sumLiveRefunds(tx, charge.id)
  const fits = addCents(live.grossCents, amountCents) <= charge.amountCents
  const back = { grossCents: charge.refundedCents, feeCents: charge.refundedFeeCents }
  return feeShareOf(amountCents, paid, fits ? live : back)
}

/** Refunds that have reached the payer, oldest first. */
export async function listReturned(db: Db, chargeId: string): Promise<(Refund & { processedAt: Date })[]> {
  const refunds = await listRefundsOfCharge(db, chargeId)
  return refunds
    .flatMap((refund) => {
      const { status, processedAt } = refund
      return status === "completed" && processedAt !== null ? [{ ...refund, processedAt }] : []
    })
    .toReversed()
}
