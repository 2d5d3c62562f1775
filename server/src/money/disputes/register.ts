import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import { type Cents, noMoney, reaisFromCents, reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { publishChargeEvents } from "#events/events"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError, invariant } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { recordByBank } from "#money/refunds/reported"
import { postDrawing } from "#money/reserves/move"
import { type LockedPayment, lockPayment } from "#money/unmatched-payments/unmatched"
import { askSecondPerson } from "#people/second-approvals/approve"
import type { SecondApproval } from "#people/second-approvals/rules"
import { notifyShops } from "#people/team/notify"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import type { Psp } from "#psp/psp"
import { readOpenCents, settleBlocks } from "./blocks.ts"
import { disputeAuditOf } from "./list.ts"
import { findDisputeRow } from "./reads.ts"
import { disputeNotices, openDispute } from "./record.ts"
import { blockPostings, type Dispute, handDebitName, isOpen } from "./rules.ts"
import { lockDisputeRow, updateDispute } from "./table.ts"

interface RegisterDeps {
  db: Db
  psp: Psp
  clock: Clock
}

interface Registration {
  endToEndId: string
  admin: Actor
  /** The whole payment when null. */
  amountCents: Cents | null
  reason: DisputeReason
  respondUntil: Date | null
  adminNotes: string
  idempotencyKey: string | null
}

/** Registers a dispute that the bank reported outside its API: the money is blocked from now on. */
export async function registerDispute({ db, psp, clock }: RegisterDeps, registration: Registration): Promise<Dispute> {
  const circumstances = { id: newId(), now: clock.now(), reportedBy: disputeReporterOf(psp) }
  return db.transaction().execute((tx) => record(tx, registration, circumstances))
}

interface Circumstances {
  id: string
  now: Date
  /** The provider that opens and closes disputes itself; null when it doesn't. */
  reportedBy: string | null
}

async function record(tx: Tx, registration: Registration, circumstances: Circumstances): Promise<Dispute> {
  const { id, now, reportedBy } = circumstances
  const { admin, idempotencyKey, endToEndId, amountCents, reason, respondUntil, adminNotes } = registration
  const request = { dispute: { endToEndId, amountCents, reason, respondUntil, adminNotes } }
  const claim = { ownerId: admin.id, key: idempotencyKey, request, resourceId: id }
  const firstId = await claimIdempotencyKey(tx, claim)
  if (firstId !== id) return getDispute(tx, firstId)
  const locked = await lockPayment(tx, endToEndId)
  if (locked === null) throw new DomainError("transaction_not_found")
  const { payment, charge } = locked
  if (payment.provider === reportedBy) throw new DomainError("dispute_told_by_bank")
  if (charge?.sellerId === admin.id) throw new DomainError("own_dispute")
  const disputed = amountCents ?? payment.amountCents
  if (disputed <= noMoney) throw brokenRule("amount", "O valor contestado deve ser maior que zero")
  if (disputed > payment.amountCents) {
    throw brokenRule("amount", `O valor contestado não pode passar de ${reaisText(payment.amountCents)}`)
  }
  const reported = { state: "open", amountCents: disputed, reason, details: "", analysis: "", respondUntil } as const
  const dates = { openedAt: now, updatedAt: null, closedAt: null }
  await openDispute(tx, locked, {
    id,
    reported: { ...reported, ...dates, endToEndId, disputeId: null },
    admin,
    adminNotes,
    now,
  })
  return getDispute(tx, id)
}

/** The provider, if its API reports disputes: then it alone opens and closes them. */
export function disputeReporterOf(psp: Psp): string | null {
  return psp.disputes === null ? null : psp.name
}

async function getDispute(db: Db, id: string): Promise<Dispute> {
  const dispute = await findDisputeRow(db, id)
  invariant(dispute !== null, `no dispute ${id}`)
  return dispute
}

interface Closing {
  id: string
  admin: Actor
  outcome: "release" | "debit"
  adminNotes: string
}

interface ClosedDispute {
  dispute: Dispute
  /** The first approval, when nothing has changed yet; null once it is closed. */
  waits: SecondApproval | null
}

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/**
 * Admins close the disputes that an admin registered. The bank closes those it reported; if it accepted one and took
 * less, an admin releases the rest.
 */
export async function closeDispute({ db, clock, protection }: Deps, closing: Closing): Promise<ClosedDispute> {
  const now = clock.now()
  const known = isId(closing.id) ? await findDisputeRow(db, closing.id) : null
  if (known === null) throw new DomainError("dispute_not_found")
  return db.transaction().execute((tx) => close(tx, known.endToEndId, { ...closing, protection }, now))
}

async function close(
  tx: Tx,
  endToEndId: string,
  closing: Closing & Pick<Deps, "protection">,
  now: Date,
): Promise<ClosedDispute> {
  const locked = await lockPayment(tx, endToEndId)
  const dispute = await lockDisputeRow(tx, closing.id)
  invariant(locked !== null && dispute !== null, `dispute ${closing.id} has no payment`)
  const { charge } = locked
  if (charge?.sellerId === closing.admin.id) throw new DomainError("own_dispute")
  if (dispute.settledAt !== null) throw new DomainError("dispute_closed")
  const isRest = dispute.state === "accepted" && closing.outcome === "release"
  if (dispute.registeredBy === null && !isRest) throw new DomainError("dispute_told_by_bank")
  const waits = await askAbout(tx, dispute, closing, now)
  if (waits !== null) return { dispute, waits }
  if (closing.outcome === "debit") await debit(tx, locked, dispute, now)
  else await release(tx, locked, dispute, now)
  const { adminNotes } = closing
  const closed = await updateDispute(tx, dispute.id, {
    closed_by: closing.admin.id,
    ...(adminNotes !== "" && { admin_notes: adminNotes }),
    updated_at: now,
  })
  const action = closing.outcome === "debit" ? "dispute.debited" : "dispute.released"
  await recordAudit(tx, disputeAuditOf(action, dispute, closed, closing.admin, now))
  if (isOpen(dispute)) await notifyShops(tx, disputeNotices(closed, charge), now)
  if (charge !== null) await publishChargeEvents(tx, [{ chargeId: charge.id, sellerId: charge.sellerId }])
  return { dispute: closed, waits: null }
}

/** For any amount: what is released can be withdrawn, and only a person says how the bank decided. */
async function askAbout(
  tx: Tx,
  { id, endToEndId, amountCents, blockedCents }: Dispute,
  { admin, outcome, adminNotes, protection }: Closing & Pick<Deps, "protection">,
  now: Date,
): Promise<SecondApproval | null> {
  const changes = [
    { field: "outcome", before: null, after: outcome },
    { field: "amount", before: null, after: reaisFromCents(amountCents) },
    { field: "blocked", before: reaisFromCents(blockedCents), after: 0 },
    ...(adminNotes === "" ? [] : [{ field: "adminNotes", before: null, after: adminNotes }]),
  ]
  const about = { act: "dispute.close", subjectId: id, subjectName: endToEndId, changes } as const
  return (await askSecondPerson(tx, { ...about, by: admin, protection }, now)).waits
}

async function release(tx: Tx, locked: LockedPayment, dispute: Dispute, now: Date): Promise<void> {
  const released = blockPostings(dispute, noMoney, now)
  await updateDispute(tx, dispute.id, {
    ...(isOpen(dispute) && { state: "rejected", closed_at: now }),
    ...(released !== null && { movements: dispute.movements + 1 }),
    blocked_cents: noMoney,
    settled_at: now,
    updated_at: now,
  })
  const others = await settleBlocks(tx, locked, now)
  await postDrawing(tx, released === null ? others : [released, ...others])
}

/**
 * The bank took the money and can't report it: booked under an id of ours, which is replaced if the bank ever reports
 * its own.
 */
async function debit(tx: Tx, locked: LockedPayment, dispute: Dispute, now: Date): Promise<void> {
  const takenCents: Cents = await readOpenCents(tx, locked, dispute)
  const accepted = await updateDispute(tx, dispute.id, { state: "accepted", closed_at: now, updated_at: now })
  if (takenCents === noMoney) return postDrawing(tx, await settleBlocks(tx, locked, now))
  const pspRefundId = handDebitName(dispute)
  await recordByBank(
    tx,
    {
      endToEndId: dispute.endToEndId,
      reported: {
        pspRefundId,
        state: "completed",
        amountCents: takenCents,
        returnId: null,
        reason: null,
        settledAt: now,
        isDispute: true,
      },
      dispute: accepted,
    },
    now,
  )
}
