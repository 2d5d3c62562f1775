import { type DisputeState, isTakenOrOpen } from "@tilinta/contract/vocabulary/dispute-status"
import type { Db, Tx } from "#db/transaction"
import { claimDebits } from "#domain/money/refunds/claim-debits"
import { type LockedPayment, lockPayment } from "#domain/money/unmatched-payments/lock-payment"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { publishChargeEvents } from "#events/events"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { postDrawing } from "#money/reserves/move"
import type { PspDispute } from "#psp/psp"
import { type Dispute, isOpen } from "./dispute.ts"
import { disputeAuditOf } from "./dispute-audit.ts"
import { disputeMails } from "./dispute-mails.ts"
import { findDisputeRow, insertDisputeOnce, lockNamedDispute, updateDispute } from "./disputes-repository.ts"
import { settleBlocks } from "./settle-blocks.ts"

interface Deps {
  db: Db
  clock: Clock
}

/**
 * Records the bank's present state of a dispute; safe for repeated reports in any order. Its payment must be booked.
 */
export async function recordDispute({ db, clock }: Deps, reported: PspDispute): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => record(tx, reported, now))
}

async function record(tx: Tx, reported: PspDispute, now: Date): Promise<void> {
  const locked = await lockPayment(tx, reported.endToEndId)
  invariant(locked !== null, `no payment ${reported.endToEndId} for the reported dispute`)
  const known = await lockNamedDispute(tx, locked.payment.provider, reported.disputeId)
  if (known === null) return openDispute(tx, locked, { id: newId(), reported, admin: null, adminNotes: "", now })
  invariant(known.endToEndId === reported.endToEndId, `dispute ${known.id} is about another payment`)
  if (isNews(known, reported)) await change(tx, locked, { known, reported, now })
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
  await recordAudit(
    tx,
    disputeAuditOf(admin === null ? "dispute.opened" : "dispute.registered", null, opened, admin, now),
  )
  await enqueueMails(tx, disputeMails(opened, locked.charge), now)
  if (locked.charge !== null) await appendEvents(tx, "charge.disputed", [locked.charge.id], now)
}

/** A final state stands until a later report: answers of the bank may be processed in any order. */
function isNews(known: Dispute, reported: PspDispute): boolean {
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

interface News {
  known: Dispute
  reported: PspDispute
  now: Date
}

async function change(tx: Tx, locked: LockedPayment, { known, reported, now }: News): Promise<void> {
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
  await enqueueMails(tx, disputeMails(settled, locked.charge), now)
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
