import { isOpenUnmatchedPayment } from "@tilinta/contract/vocabulary/transactions"
import type { Tx } from "#db/transaction"
import { DomainError, invariant } from "#kit/errors"
import { isDebitTxid, isId } from "#kit/ids"
import { findPaymentRow, type Payment } from "#money/payments/reads"
import type { Actor, AuditEntry } from "#platform/audit/rules"
import { lockCharge } from "#selling/charges/find"
import type { Charge } from "#selling/charges/rules"
import { lockMandateOfTxid } from "#selling/mandates/manage"
import type { UnmatchedPayment } from "./rules.ts"
import { lockUnmatchedPaymentRow, lockUnmatchedPaymentRowOf } from "./table.ts"

export function unmatchedPaymentAuditOf(
  action: "unmatched_payment.accepted" | "unmatched_payment.returned",
  before: UnmatchedPayment,
  changes: Partial<UnmatchedPayment> & { sellerId?: string },
  actor: Actor,
  happenedAt: Date,
): AuditEntry {
  const { status, reason, endToEndId } = before
  return {
    actor,
    happenedAt,
    action,
    entity: "unmatched_payment",
    entityId: before.id,
    before: { status, reason, endToEndId },
    after: { reason, endToEndId, ...changes },
  }
}

/** Only the first of several admins who decide at once gets it open. */
export async function lockOpenUnmatchedPayment(
  tx: Tx,
  id: string,
): Promise<{ unmatched: UnmatchedPayment; payment: Payment }> {
  const unmatched = isId(id) ? await lockUnmatchedPaymentRow(tx, id) : null
  if (unmatched === null) throw new DomainError("unmatched_payment_not_found")
  if (!isOpenUnmatchedPayment(unmatched.status)) throw new DomainError("unmatched_payment_resolved")
  const payment = await findPaymentRow(tx, unmatched.endToEndId)
  invariant(payment !== null, `unmatched payment ${id} has no payment`)
  return { unmatched, payment }
}

export interface LockedPayment {
  payment: Payment
  unmatched: UnmatchedPayment | null
  /** The charge it was credited as, at once or by an admin's acceptance. Null while it is uncredited. */
  charge: Charge | null
}

/** Null when it isn't booked. A debit's authorisation, unmatched payments, charges: every writer takes its locks in this order. */
export async function lockPayment(tx: Tx, endToEndId: string): Promise<LockedPayment | null> {
  const payment = await findPaymentRow(tx, endToEndId)
  if (payment === null) return null
  if (isDebitTxid(payment.txid)) await lockMandateOfTxid(tx, payment.txid)
  const unmatched = await lockUnmatchedPayment(tx, endToEndId)
  const chargeId = payment.isCredited ? payment.chargeId : (unmatched?.acceptedChargeId ?? null)
  return { payment, unmatched, charge: chargeId === null ? null : await lockCharge(tx, chargeId) }
}

/** Lock it before the payment's charge and refunds. Null for a payment that no admin must check. */
export async function lockUnmatchedPayment(tx: Tx, endToEndId: string): Promise<UnmatchedPayment | null> {
  return lockUnmatchedPaymentRowOf(tx, endToEndId)
}
