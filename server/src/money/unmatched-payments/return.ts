import { isUnsettled } from "@tilinta/contract/vocabulary/transactions"
import type { Tx } from "#db/transaction"
import { invariant } from "#kit/errors"
import { newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { isBelowFloor } from "#ledger/post-transactions"
import type { Payment } from "#money/payments/reads"
import { notCovered } from "#money/refunds/request"
import type { Refund } from "#money/refunds/rules"
import { storeChargeRefund, storeUncreditedRefund } from "#money/refunds/store"
import type { SecondApproval } from "#people/second-approvals/rules"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { lockCharge } from "#selling/charges/find"
import { askAboutReturn, type DecisionDeps } from "./accept.ts"
import { isUncredited, type UnmatchedPayment } from "./rules.ts"
import { updateUnmatchedPayment } from "./table.ts"
import { lockOpenUnmatchedPayment, unmatchedPaymentAuditOf } from "./unmatched.ts"

interface Return {
  id: string
  admin: Actor
  adminNotes: string
}

/**
 * Returns all that is left, from suspense or from the seller. A refusal by the bank opens the unmatched payment again. The
 * result is the first approval, when nothing has changed yet; null once it is decided.
 */
export async function returnUnmatchedPayment(
  { db, clock, protection }: DecisionDeps,
  input: Return,
): Promise<SecondApproval | null> {
  const now = clock.now()
  return db
    .transaction()
    .execute((tx) => sendBack(tx, input, { protection, now }))
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

/** Closes a locked unmatched payment once its own refund, or all of its money, went back. */
export async function closeRefundedUnmatchedPayment(
  tx: Tx,
  unmatched: UnmatchedPayment,
  { refundId, isWhole }: { refundId: string; isWhole: boolean },
): Promise<void> {
  const isOwn = unmatched.status === "returning" && unmatched.refundId === refundId
  const isOver = isWhole && isUnsettled(unmatched.status)
  if (isOwn || isOver) await updateUnmatchedPayment(tx, unmatched.id, { status: "returned" })
}

/** The bank refused the refund that the locked unmatched payment waits for: an admin decides again. */
export async function reopenUnmatchedPayment(tx: Tx, unmatched: UnmatchedPayment, refundId: string): Promise<void> {
  if (unmatched.status !== "returning" || unmatched.refundId !== refundId) return
  await updateUnmatchedPayment(tx, unmatched.id, { status: "open", decided_by: null, decided_at: null })
}
