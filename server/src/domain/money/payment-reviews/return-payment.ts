import type { Db, Tx } from "#db/transaction"
import type { Payment } from "#domain/money/payments/find-payment"
import type { Refund } from "#domain/money/refunds/refund"
import { notCovered } from "#domain/money/refunds/request-refund"
import { storeChargeRefund, storeSuspenseRefund } from "#domain/money/refunds/store-refund"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { lockCharge } from "#domain/selling/charges/lock-charge"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import { isBelowFloor } from "#ledger/below-floor"
import { lockOpenReview } from "./lock-open-review.ts"
import { isInSuspense, type PaymentReview } from "./payment-review.ts"
import { updateReview } from "./payment-reviews-repository.ts"
import { auditOf } from "./review-audit.ts"

interface Return {
  id: string
  admin: Actor
  adminNotes: string
}

/** From suspense whole, from a seller all that is left. If the bank says no, the review opens again. */
export async function returnPayment({ db, clock }: { db: Db; clock: Clock }, wish: Return): Promise<void> {
  const now = clock.now()
  await db
    .transaction()
    .execute((tx) => sendBack(tx, wish, now))
    .catch((error: unknown) => {
      throw isBelowFloor(error) ? notCovered("admin", error) : error
    })
}

async function sendBack(tx: Tx, { id, admin, adminNotes }: Return, now: Date): Promise<void> {
  const { review, payment } = await lockOpenReview(tx, id)
  const refund = await storeRefund(tx, { review, payment, admin, now })
  await updateReview(tx, review.id, {
    status: "returning",
    refund_id: refund.id,
    decided_by: admin.id,
    decided_at: now,
    admin_notes: adminNotes,
  })
  const changes = { status: "returning", refundId: refund.id, adminNotes } as const
  await recordAudit(tx, auditOf("unmatched_payment.returned", review, changes, admin, now))
}

interface Returning {
  review: PaymentReview
  payment: Payment
  admin: Actor
  now: Date
}

/** The payer's bank is told no reason: what the admin noted is for the platform. */
async function storeRefund(tx: Tx, { review, payment, admin, now }: Returning): Promise<Refund> {
  const order = { id: newId(), actor: admin, origin: "admin", reason: "", now } as const
  if (isInSuspense(review)) return storeSuspenseRefund(tx, payment, order)
  const charge = payment.chargeId === null ? null : await lockCharge(tx, payment.chargeId)
  invariant(charge !== null, `review ${review.id} has no charge`)
  return storeChargeRefund(tx, charge, { ...order, amountCents: null })
}
