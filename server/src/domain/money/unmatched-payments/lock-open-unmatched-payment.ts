import { isOpenUnmatchedPayment } from "@tilinta/contract/vocabulary/unmatched-payment-status"
import type { Tx } from "#db/transaction"
import { findPayment, type Payment } from "#domain/money/payments/find-payment"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import type { UnmatchedPayment } from "./unmatched-payment.ts"
import { lockUnmatchedPaymentRow } from "./unmatched-payments-repository.ts"

/** Only the first of several admins who decide at once gets it open. */
export async function lockOpenUnmatchedPayment(
  tx: Tx,
  id: string,
): Promise<{ unmatched: UnmatchedPayment; payment: Payment }> {
  const unmatched = isId(id) ? await lockUnmatchedPaymentRow(tx, id) : null
  if (unmatched === null) throw new DomainError("unmatched_payment_not_found")
  if (!isOpenUnmatchedPayment(unmatched.status)) throw new DomainError("unmatched_payment_resolved")
  const payment = await findPayment(tx, unmatched.endToEndId)
  invariant(payment !== null, `unmatched payment ${id} has no payment`)
  return { unmatched, payment }
}
