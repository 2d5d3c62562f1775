import type { DisputeReason } from "@tilinta/contract/vocabulary/dispute-status"
import { type Cents, noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { lockPayment } from "#domain/money/unmatched-payments/lock-payment"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import type { Psp } from "#psp/psp"
import type { Dispute } from "./dispute.ts"
import { findDisputeRow } from "./disputes-repository.ts"
import { openDispute } from "./record-dispute.ts"

interface Deps {
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
export async function registerDispute({ db, psp, clock }: Deps, registration: Registration): Promise<Dispute> {
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
