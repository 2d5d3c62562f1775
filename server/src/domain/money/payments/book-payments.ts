import type { Logger } from "pino"
import { executeOne } from "#db/one-statement"
import type { Db, Tx } from "#db/transaction"
import {
  type NewUnmatchedPayment,
  openUnmatchedPayments,
} from "#domain/money/unmatched-payments/open-unmatched-payments"
import { lockPagesOfPayments, pagesThatMayFill, savePaymentCounts } from "#domain/selling/charge-pages/count-payments"
import {
  type ChargeOutcome,
  lockChargesOfPayments,
  saveChargeOutcomes,
} from "#domain/selling/charges/charges-of-payments"
import { publishChargeEvents } from "#events/events"
import type { Clock } from "#kit/clock"
import { invariant } from "#kit/invariant"
import type { PaymentReceived } from "#psp/psp"
import { bookPlainPayments, findBookedIds, insertPaymentsOnce, type NamedReceipt } from "./payments-repository.ts"
import { type SettledPayment, settlePayments } from "./settle-payments.ts"

/** Larger batches would only add latency. */
const BATCH = 200

interface Deps {
  db: Db
  clock: Clock
  log: Logger
}

/**
 * Books money that reached the PSP to the sellers' balances, each payment exactly once however often it is reported. When
 * a batch fails, its payments are booked singly, so that a bad one can't block its neighbours. Throws after trying all of
 * them if any could not be booked.
 */
export async function bookPayments(deps: Deps, payments: PaymentReceived[]): Promise<void> {
  const failures: unknown[] = []
  for (let start = 0; start < payments.length; start += BATCH) {
    const batch = payments.slice(start, start + BATCH)
    try {
      await bookBatch(deps, batch)
    } catch (error) {
      failures.push(...(batch.length === 1 ? [error] : await bookSingly(deps, batch)))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "payments that could not be booked")
}

async function bookSingly(deps: Deps, batch: PaymentReceived[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const payment of batch) {
    await bookBatch(deps, [payment]).catch((error: unknown) => {
      deps.log.error({ err: error, alarm: "payment_not_booked" }, "a payment could not be booked")
      failures.push(error)
    })
  }
  return failures
}

/**
 * Nearly all payments are plain, and one statement books them. What is booked already needs no lock; the others of the batch
 * go the careful way.
 */
async function bookBatch({ db, clock }: Deps, payments: PaymentReceived[]): Promise<void> {
  const now = clock.now()
  const receipts = [...new Map(payments.map((payment) => [payment.endToEndId, payment])).values()]
  const named = receiptsOfOneCharge(receipts)
  const booked = named.length === 0 ? new Set<string>() : await executeOne(db, bookPlainPayments(named, now))
  const others = await notYetBooked(
    db,
    receipts.filter(({ endToEndId }) => !booked.has(endToEndId)),
  )
  if (others.length > 0) await db.transaction().execute((tx) => recordPayments(tx, others, now))
}

/** The receipts whose charge no other one of them names. */
function receiptsOfOneCharge(receipts: PaymentReceived[]): NamedReceipt[] {
  const byTxid = Map.groupBy(receipts, ({ txid }) => txid)
  return [...byTxid].flatMap(([txid, [receipt, ...others]]) =>
    txid === null || receipt === undefined || others.length > 0 ? [] : [{ ...receipt, txid }],
  )
}

/** Locks pages before charges before the rest, the one order of every writer. */
async function recordPayments(tx: Tx, payments: PaymentReceived[], now: Date): Promise<void> {
  const txids = [...new Set(payments.flatMap((payment) => payment.txid ?? []))]
  const pages = await lockPagesOfPayments(tx, txids)
  const charges = await lockChargesOfPayments(tx, txids, pagesThatMayFill(pages))
  const fresh = await notYetBooked(tx, payments)
  const settlement = settlePayments(fresh, charges, pages)
  await saveChargeOutcomes(tx, settlement.outcomes, now)
  await savePaymentCounts(tx, settlement.pages, now)
  await publishChargeEvents(tx, changedCharges(settlement.outcomes, charges))
  // Late, because every batch moves the platform's accounts, and others wait for them until the commit.
  const inserted = await insertPaymentsOnce(tx, settlement.payments, now)
  const booked = settlement.payments.filter(({ received }) => inserted.has(received.endToEndId))
  const raced = settlement.payments.filter(({ received }) => !inserted.has(received.endToEndId))
  // Payments without a page have no lock, so another batch may have booked them meanwhile.
  invariant(
    raced.every(({ charge }) => charge === null),
    "a payment was booked outside its page's lock",
  )
  await openUnmatchedPayments(tx, unmatchedPaymentsOf(booked, settlement.outcomes), now)
}

async function notYetBooked(db: Db, payments: PaymentReceived[]): Promise<PaymentReceived[]> {
  const booked = await findBookedIds(
    db,
    payments.map((payment) => payment.endToEndId),
  )
  return payments.filter((payment) => !booked.has(payment.endToEndId))
}

/** Payments for an admin to check. A duplicate matters more than being late. */
function unmatchedPaymentsOf(payments: SettledPayment[], outcomes: ChargeOutcome[]): NewUnmatchedPayment[] {
  const byCharge = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  return payments.flatMap(({ received: { endToEndId }, charge, reason }): NewUnmatchedPayment[] => {
    if (reason !== null) return [{ endToEndId, reason }]
    const outcome = byCharge.get(charge.id)
    if (outcome?.isDuplicate === true) return [{ endToEndId, reason: "duplicate" }]
    return outcome?.isLate === true ? [{ endToEndId, reason: "late" }] : []
  })
}

function changedCharges(outcomes: { id: string }[], charges: { id: string; sellerId: string }[]) {
  const sellers = new Map(charges.map((charge) => [charge.id, charge.sellerId]))
  return outcomes.map(({ id }) => ({ chargeId: id, sellerId: sellers.get(id) ?? "" }))
}
