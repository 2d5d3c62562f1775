import { feeOf } from "@tilinta/contract/vocabulary/fee"
import type { Tx } from "#db/transaction"
import { secondsAfter, type Times } from "#kit/clock"
import { appendEvents } from "#platform/event-log/append"
import type { PaymentReceived } from "#psp/psp"
import { recordDebitCharge } from "#selling/charges/end"
import { findDueCharge } from "#selling/charges/reads"
import { draftCharge, payerDataOf } from "#selling/charges/rules"
import { holdForDebit } from "#selling/invoices/change"
import { lockDebit } from "./debits.ts"
import { findDebitOfTxid } from "./reads.ts"
import { updateDebitRow } from "./table.ts"

/**
 * The charge that the payment of a debit pays, made in the transaction of its booking. It is of the invoice's page, so that a
 * second payment is a duplicate, and one after a cancellation is late. Money of another amount finds none, and is checked by a person.
 */
export async function makeChargeOfDebit(tx: Tx, payment: PaymentReceived, now: Date): Promise<void> {
  const found = await findDebitOfTxid(tx, payment.txid ?? "")
  if (found === null || found.provider !== payment.provider || found.amountCents !== payment.amountCents) return
  const { debit, invoice } = await lockDebit(tx, found.id)
  if ((await findDueCharge(tx, debit.txid)) !== null) return
  const { sellerId, customer, description, pageId, fee } = invoice
  // The bank may debit before it answers that it doesn't.
  const isCalledOff =
    debit.status === "cancelled" ||
    debit.cancelSince !== null ||
    invoice.status === "cancelled" ||
    invoice.status === "settled_outside"
  const page = { id: pageId, sellerId, title: description, description, amountCents: debit.amountCents }
  const charge = draftCharge({
    page: { ...page, choice: null, expiresAt: null, terms: { fee, expirationMinutes: 1 } },
    payer: payerDataOf(customer),
    provider: debit.provider,
    idempotencyKey: `debit ${debit.id}`,
    now,
  })
  await recordDebitCharge(tx, {
    ...charge,
    txid: debit.txid,
    status: isCalledOff ? "cancelled" : "creating",
    feeCents: feeOf(fee, debit.amountCents),
    expiresAt: secondsAfter(now, 60),
  })
}

/** After the booking: the money is what says that it was paid. */
export async function settlePaidDebit(tx: Tx, txid: string, times: Times): Promise<void> {
  const charge = await findDueCharge(tx, txid)
  const debit = charge?.paidAt ? await findDebitOfTxid(tx, txid) : null
  if (debit === null || debit.status === "paid") return
  const attempts = debit.attempts.map((attempt, at) =>
    at === debit.attempts.length - 1 ? { ...attempt, outcome: "paid" as const } : attempt,
  )
  await updateDebitRow(tx, {
    ...debit,
    attempts,
    status: "paid",
    isSent: true,
    retryDay: null,
    endedAt: times.now,
    updatedAt: times.now,
  })
  await holdForDebit(tx, debit.invoiceId, null)
  await appendEvents(tx, "debit.paid", [debit.id], times.due)
}
