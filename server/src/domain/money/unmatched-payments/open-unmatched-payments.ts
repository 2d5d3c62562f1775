import type { UnmatchedPaymentReason } from "@tilinta/contract/vocabulary/unmatched-payment-status"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { insertUnmatchedPayments } from "./unmatched-payments-repository.ts"

export interface NewUnmatchedPayment {
  endToEndId: string
  reason: UnmatchedPaymentReason
}

/** Runs in the transaction that books the payments, so none that an admin must check is missed. */
export async function openUnmatchedPayments(tx: Tx, payments: NewUnmatchedPayment[], now: Date): Promise<void> {
  await insertUnmatchedPayments(
    tx,
    payments.map((payment) => ({ ...payment, id: newId(), receivedAt: now })),
  )
}
