import { type Cents, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { recordByBank } from "#domain/money/refunds/record-reported-refunds"
import { type LockedPayment, lockPayment } from "#domain/money/unmatched-payments/lock-payment"
import { askSecondPerson } from "#domain/people/second-approvals/ask-second-person"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { publishChargeEvents } from "#events/events"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import type { Protection } from "#kit/protection"
import { postDrawing } from "#money/reserves/move"
import { type Dispute, handDebitName, isOpen } from "./dispute.ts"
import { disputeAuditOf } from "./dispute-audit.ts"
import { disputeMails } from "./dispute-mails.ts"
import { blockPostings } from "./dispute-postings.ts"
import { findDisputeRow, lockDisputeRow, updateDispute } from "./disputes-repository.ts"
import { readOpenCents, settleBlocks } from "./settle-blocks.ts"

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
  if (isOpen(dispute)) await enqueueMails(tx, disputeMails(closed, charge), now)
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
