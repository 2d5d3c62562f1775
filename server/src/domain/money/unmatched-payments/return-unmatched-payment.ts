import type { Db, Tx } from "#db/transaction"
import type { Payment } from "#domain/money/payments/find-payment"
import type { Refund } from "#domain/money/refunds/refund"
import { notCovered } from "#domain/money/refunds/request-refund"
import { storeChargeRefund, storeUncreditedRefund } from "#domain/money/refunds/store-refund"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { lockCharge } from "#domain/selling/charges/lock-charge"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import type { Protection } from "#kit/protection"
import { isBelowFloor } from "#ledger/below-floor"
import { askAboutReturn } from "./ask-about-decision.ts"
import { lockOpenUnmatchedPayment } from "./lock-open-unmatched-payment.ts"
import { isUncredited, type UnmatchedPayment } from "./unmatched-payment.ts"
import { unmatchedPaymentAuditOf } from "./unmatched-payment-audit.ts"
import { updateUnmatchedPayment } from "./unmatched-payments-repository.ts"

interface Return {
  id: string
  admin: Actor
  adminNotes: string
}

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/**
 * Returns all that is left, from suspense or from the seller. A refusal by the bank opens the unmatched payment again. The
 * result is the first approval, when nothing has changed yet; null once it is decided.
 */
export async function returnUnmatchedPayment(
  { db, clock, protection }: Deps,
  wish: Return,
): Promise<SecondApproval | null> {
  const now = clock.now()
  return db
    .transaction()
    .execute((tx) => sendBack(tx, wish, { protection, now }))
    .catch((error: unknown) => {
      throw isBelowFloor(error) ? notCovered("admin", error) : error
    })
}

async function sendBack(
  tx: Tx,
  { id, admin, adminNotes }: Return,
  { protection, now }: { protection: Protection; now: Date },
): Promise<SecondApproval | null> {
  const { unmatched, payment } = await lockOpenUnmatchedPayment(tx, id)
  const waits = await askAboutReturn(tx, { unmatched, admin, adminNotes, protection }, payment.amountCents, now)
  if (waits !== null) return waits
  const refund = await storeRefund(tx, { unmatched, payment, admin, now })
  await updateUnmatchedPayment(tx, unmatched.id, {
    status: "returning",
    refund_id: refund.id,
    decided_by: admin.id,
    decided_at: now,
    admin_notes: adminNotes,
  })
  const changes = { status: "returning", refundId: refund.id, adminNotes } as const
  await recordAudit(tx, unmatchedPaymentAuditOf("unmatched_payment.returned", unmatched, changes, admin, now))
  return null
}

interface Returning {
  unmatched: UnmatchedPayment
  payment: Payment
  admin: Actor
  now: Date
}

/** The payer's bank gets no reason: the admin's note is for the platform. */
async function storeRefund(tx: Tx, { unmatched, payment, admin, now }: Returning): Promise<Refund> {
  const order = { id: newId(), actor: admin, origin: "admin", reason: "", now } as const
  if (isUncredited(unmatched)) return storeUncreditedRefund(tx, payment, order)
  const charge = payment.chargeId === null ? null : await lockCharge(tx, payment.chargeId)
  invariant(charge !== null, `unmatched payment ${unmatched.id} has no charge`)
  return storeChargeRefund(tx, charge, { ...order, amountCents: null, proof: null })
}
