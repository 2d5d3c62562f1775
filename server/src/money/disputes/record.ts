import { type DisputeState, isTakenOrOpen } from "@tilinta/contract/vocabulary/dispute-status"
import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { publishChargeEvents } from "#events/events"
import { type Clock, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import { isDebitTxid, newId } from "#kit/ids"
import { bookPayments } from "#money/payments/book"
import { findBookedIds } from "#money/payments/reads"
import { recordReportedRefunds } from "#money/refunds/reported"
import { claimDebits } from "#money/refunds/store"
import { postDrawing } from "#money/reserves/move"
import { type LockedPayment, lockPayment } from "#money/unmatched-payments/unmatched"
import { notifyShops } from "#people/team/notify"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import type { OwnerNotice } from "#platform/mails/notify-owner"
import { latestTime, type Psp, type PspDispute, provenTime } from "#psp/psp"
import type { Charge } from "#selling/charges/rules"
import { restMandateOfTxid } from "#selling/mandates/manage"
import { settleBlocks } from "./blocks.ts"
import { disputeAuditOf } from "./list.ts"
import { findDisputeRow, findSettledNames } from "./reads.ts"
import { DISPUTABLE_DAYS, type Dispute, isOpen } from "./rules.ts"
import { insertDisputeOnce, lockNamedDispute, updateDispute } from "./table.ts"

const DAY_SECONDS = 86_400
/** The analysis takes some more time, and a dispute may change until its end. */
const CONTESTABLE_DAYS = DISPUTABLE_DAYS + 40
const AHEAD_SECONDS = 120

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

/** Fetches every dispute that may still change. This is the rule; webhooks only make it faster. */
export async function reconcileDisputes(deps: Deps): Promise<void> {
  const { disputes } = deps.psp
  if (disputes === null) return
  const from = secondsAfter(provenTime(deps), -CONTESTABLE_DAYS * DAY_SECONDS)
  for await (const reported of disputes.list({ from, to: secondsAfter(latestTime(deps), AHEAD_SECONDS) })) {
    await recordReported(deps, reported)
  }
}

/** Follows up a webhook by asking the provider. False when it should be retried. */
export async function askAboutDispute(deps: Deps, disputeId: string): Promise<boolean> {
  try {
    const reported = await deps.psp.disputes?.find(disputeId)
    if (reported === undefined || reported === null) {
      deps.log.warn({ alarm: "webhook_not_confirmed" }, "the provider doesn't know a dispute that it reported")
      return true
    }
    return (await recordReported(deps, [reported])).length === 0
  } catch (error) {
    deps.log.warn({ err: error }, "the provider didn't answer about a dispute")
    return false
  }
}

/** A failure stops no other; returns those to retry. */
async function recordReported(deps: Deps, reported: PspDispute[]): Promise<PspDispute[]> {
  const failed: PspDispute[] = []
  const settled = await findSettledNames(deps.db, deps.psp.name, reported)
  for (const dispute of reported.filter(({ disputeId }) => !settled.has(disputeId))) {
    await recordOne(deps, dispute).catch((error: unknown) => {
      deps.log.error(
        { err: error, alarm: "dispute_not_recorded" },
        "a dispute that the provider reported isn't recorded",
      )
      failed.push(dispute)
    })
  }
  return failed
}

/** Books the payment and the bank's debits first: the money of an accepted dispute has already left. */
async function recordOne(deps: Deps, reported: PspDispute): Promise<void> {
  const { endToEndId } = reported
  const isBooked = (await findBookedIds(deps.db, [endToEndId])).has(endToEndId)
  if (!isBooked || reported.state === "accepted") {
    const receipt = await deps.psp.findReceipt(endToEndId)
    if (receipt !== null) {
      await bookPayments(deps, [receipt])
      await recordReportedRefunds(deps, [receipt])
    }
  }
  await recordDispute(deps, reported)
}

/**
 * Records the bank's present state of a dispute; safe for repeated reports in any order. Its payment must be booked.
 */
export async function recordDispute({ db, clock }: Omit<Deps, "log" | "psp">, reported: PspDispute): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => record(tx, reported, now))
}

async function record(tx: Tx, reported: PspDispute, now: Date): Promise<void> {
  const locked = await lockPayment(tx, reported.endToEndId)
  invariant(locked !== null, `no payment ${reported.endToEndId} for the reported dispute`)
  const known = await lockNamedDispute(tx, locked.payment.provider, reported.disputeId)
  if (known === null) return openDispute(tx, locked, { id: newId(), reported, admin: null, adminNotes: "", now })
  invariant(known.endToEndId === reported.endToEndId, `dispute ${known.id} is about another payment`)
  if (isNewer(known, reported)) await change(tx, locked, { known, reported, now })
}

interface Opening {
  id: string
  /** Reported by the bank, or registered by an admin: then the bank's id is unknown. */
  reported: Omit<PspDispute, "disputeId"> & { disputeId: string | null }
  admin: Actor | null
  adminNotes: string
  now: Date
}

function newDispute({ payment, charge }: LockedPayment, { id, reported, admin, adminNotes, now }: Opening): Dispute {
  return {
    id,
    provider: payment.provider,
    pspDisputeId: reported.disputeId,
    endToEndId: reported.endToEndId,
    chargeId: charge?.id ?? null,
    sellerId: charge?.sellerId ?? null,
    amountCents: disputedCents(reported, payment.amountCents),
    blockedCents: noMoney,
    debitedCents: noMoney,
    movements: 0,
    reason: reported.reason,
    details: reported.details,
    state: reported.state,
    respondUntil: reported.respondUntil,
    openedAt: reported.openedAt ?? now,
    reportedAt: reported.updatedAt,
    closedAt: isOpen(reported) ? null : (reported.closedAt ?? now),
    settledAt: null,
    analysis: reported.analysis,
    defence: null,
    defenceState: "none",
    defendedAt: null,
    attempts: 0,
    registeredBy: admin?.id ?? null,
    adminNotes,
    createdAt: now,
  }
}

/** Never more than the payment, whatever the bank reports. */
function disputedCents({ amountCents }: Pick<PspDispute, "amountCents">, paidCents: Cents): Cents {
  return amountCents === null || amountCents <= noMoney ? paidCents : (Math.min(amountCents, paidCents) as Cents)
}

/** Blocks the money. Call it under the payment's locks. */
export async function openDispute(tx: Tx, locked: LockedPayment, opening: Opening): Promise<void> {
  const { admin, now } = opening
  const dispute = newDispute(locked, opening)
  if (!(await insertDisputeOnce(tx, dispute))) return
  const opened = await settle(tx, locked, dispute, now)
  const { txid } = locked.payment
  if (isTakenOrOpen(dispute.state) && isDebitTxid(txid)) await restMandateOfTxid(tx, txid, now)
  await recordAudit(
    tx,
    disputeAuditOf(admin === null ? "dispute.opened" : "dispute.registered", null, opened, admin, now),
  )
  await notifyShops(tx, disputeNotices(opened, locked.charge), now)
  if (locked.charge !== null) await appendEvents(tx, "charge.disputed", [locked.charge.id], now)
}

/** A final state stands until a later report: answers of the bank may be processed in any order. */
function isNewer(known: Dispute, reported: PspDispute): boolean {
  if (known.reportedAt === null || reported.updatedAt === null) return isOpen(known) || !isOpen(reported)
  if (reported.updatedAt.getTime() !== known.reportedAt.getTime()) return reported.updatedAt > known.reportedAt
  return rank(reported) >= rank(known)
}

const ranks = {
  open: 0,
  defended: 1,
  accepted: 2,
  rejected: 2,
  cancelled: 2,
} as const satisfies Record<DisputeState, number>

function rank({ state }: Pick<Dispute, "state">): number {
  return ranks[state]
}

interface ReportedChange {
  known: Dispute
  reported: PspDispute
  now: Date
}

async function change(tx: Tx, locked: LockedPayment, { known, reported, now }: ReportedChange): Promise<void> {
  const amountCents =
    reported.amountCents === null ? known.amountCents : disputedCents(reported, locked.payment.amountCents)
  const closedAt = isOpen(reported) ? null : isOpen(known) ? (reported.closedAt ?? now) : known.closedAt
  const wasClosed = !isOpen(known)
  const hasChanged = known.state !== reported.state || known.amountCents !== amountCents
  const isSame =
    !hasChanged &&
    known.respondUntil?.getTime() === reported.respondUntil?.getTime() &&
    known.analysis === reported.analysis &&
    known.details === reported.details
  if (isSame) return
  const changed = await updateDispute(tx, known.id, {
    state: reported.state,
    amount_cents: amountCents,
    reason: reported.reason,
    details: reported.details,
    analysis: reported.analysis,
    respond_until: reported.respondUntil,
    reported_at: reported.updatedAt,
    closed_at: closedAt,
    ...(hasChanged && { settled_at: null }),
    updated_at: now,
  })
  if (!hasChanged) return
  const settled = await settle(tx, locked, changed, now)
  const action = isOpen(settled) || wasClosed ? "dispute.changed" : "dispute.closed"
  await recordAudit(tx, disputeAuditOf(action, known, settled, null, now))
  await notifyShops(tx, disputeNotices(settled, locked.charge), now)
}

/** After a change of state, attributes earlier debits of the bank and moves the money accordingly. */
async function settle(tx: Tx, locked: LockedPayment, dispute: Dispute, now: Date): Promise<Dispute> {
  const { id, endToEndId, amountCents, debitedCents } = dispute
  const mostCents = subtractCents(amountCents, debitedCents)
  const isTaken = isTakenOrOpen(dispute.state)
  const claimedCents = isTaken ? await claimDebits(tx, { endToEndId, disputeId: id, mostCents }) : noMoney
  if (claimedCents > noMoney) {
    await updateDispute(tx, id, { debited_cents: addCents(debitedCents, claimedCents), updated_at: now })
  }
  await postDrawing(tx, await settleBlocks(tx, locked, now))
  const { charge } = locked
  if (charge !== null) await publishChargeEvents(tx, [{ chargeId: charge.id, sellerId: charge.sellerId }])
  const settled = await findDisputeRow(tx, id)
  invariant(settled !== null, `no dispute ${id}`)
  return settled
}

/** Tells the seller when it opens and when the bank has decided. An uncredited payment has no seller to notify. */
export function disputeNotices(dispute: Dispute, charge: Charge | null): OwnerNotice[] {
  const { id, state, amountCents } = dispute
  if (charge === null) return []
  const about = { chargeId: charge.id, pageTitle: charge.pageTitle }
  const notice = isOpen(dispute)
    ? ({
        kind: "dispute_opened",
        ...about,
        amountCents,
        blockedCents: dispute.blockedCents,
        reason: dispute.reason,
        respondUntil: dispute.respondUntil?.toISOString() ?? null,
      } as const)
    : ({ kind: "dispute_closed", ...about, amountCents, isDebited: state === "accepted" } as const)
  return [{ userId: charge.sellerId, dedupeKey: `dispute:${id}:${isOpen(dispute) ? "opened" : state}`, notice }]
}
