import { feeOf } from "@tilinta/contract/vocabulary/fee"
import type { Logger } from "pino"
import { type Db, executeOne, type Tx } from "#db/transaction"
import { type Clock, dueTime, secondsAfter } from "#kit/clock"
import { isDebitTxid, isDueTxid } from "#kit/ids"
import { type PaymentReceived, type Psp, PspError } from "#psp/psp"
import { lockPagesOfCharges } from "#selling/charge-pages/change"
import { claimDueChargeRemovals, type RemovalOutcomes, saveChargeRemovals } from "#selling/charges/end"
import { keepCounterPayers } from "#selling/charges/payer-data"
import { findDueCharge } from "#selling/charges/reads"
import { type DueRemoval, removableWhenAnswered } from "#selling/charges/rules"
import { findPayableTerms } from "#selling/invoices/reads"
import { judgePayment } from "#selling/invoices/rules"
import { makeChargeOfDebit, settlePaidDebit } from "#selling/mandates/pay"
import { type BookingMoments, bookPaymentRows } from "./reads.ts"
import { priceDueCharge } from "./table.ts"

/** Larger batches would only add latency. */
const BATCH = 200

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

/**
 * Books money that reached the PSP to the sellers' balances, each payment exactly once however often it is reported. When
 * a batch fails, its payments are booked singly, so that a bad one can't block its neighbours. Throws after trying all of
 * them if any could not be booked.
 */
export async function bookPayments(deps: Omit<Deps, "psp">, payments: PaymentReceived[]): Promise<void> {
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

async function bookSingly(deps: Omit<Deps, "psp">, batch: PaymentReceived[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const payment of batch) {
    await bookBatch(deps, [payment]).catch((error: unknown) => {
      deps.log.error({ err: error, alarm: "payment_not_booked" }, "a payment could not be booked")
      failures.push(error)
    })
  }
  return failures
}

/** One statement, which is a transaction of its own: it decides what each payment does, and books it. */
async function bookBatch({ db, clock }: Omit<Deps, "psp">, reported: PaymentReceived[]): Promise<void> {
  const now = clock.now()
  const moments = { now, answeredBy: removableWhenAnswered(now) }
  const payments = [...new Map(reported.map((payment) => [payment.endToEndId, payment])).values()]
  for (const payment of payments.filter(({ txid }) => isDueTxid(txid))) {
    await db.transaction().execute((tx) => bookOfDay(tx, payment, moments))
  }
  for (const payment of payments.filter(({ txid }) => isDebitTxid(txid))) {
    await db.transaction().execute((tx) => bookOfDebit(tx, payment, { ...moments, due: dueTime(clock) }))
  }
  const others = payments.filter(({ txid }) => !isDueTxid(txid) && !isDebitTxid(txid))
  if (others.length > 0) await executeOne(db, bookPaymentRows(others, moments))
  await keepCounterPayers(db, others)
}

/** The bank computes what such a code asks: the charge gets the amount that came, where its terms may have asked that. */
async function bookOfDay(tx: Tx, payment: PaymentReceived, moments: BookingMoments): Promise<void> {
  await priceByTerms(tx, payment, moments.now)
  await executeOne(tx, bookPaymentRows([payment], moments))
}

/** A debit has no charge until its money comes: nobody pays it by a code. */
async function bookOfDebit(
  tx: Tx,
  payment: PaymentReceived,
  { due, ...moments }: BookingMoments & { due: Date },
): Promise<void> {
  await makeChargeOfDebit(tx, payment, moments.now)
  await executeOne(tx, bookPaymentRows([payment], moments))
  await settlePaidDebit(tx, payment.txid ?? "", { now: moments.now, due })
}

/** A bank goes on taking money by former terms for as long. */
const OUTDATED_SECONDS = 86_400

async function priceByTerms(tx: Tx, payment: PaymentReceived, now: Date): Promise<void> {
  const { endToEndId, amountCents, paidAt } = payment
  const charge = await findDueCharge(tx, payment.txid ?? "")
  if (charge === null || charge.provider !== payment.provider) return
  await lockPagesOfCharges(tx, [charge.pageId])
  const since = secondsAfter(paidAt < now ? paidAt : now, -OUTDATED_SECONDS)
  const parts = judgePayment(await findPayableTerms(tx, charge.pageId, since), payment)
  if (parts === null) return
  const feeCents = feeOf(charge.fee, amountCents)
  await priceDueCharge(tx, { endToEndId, chargeId: charge.id, amountCents, feeCents, parts, now })
}

const REMOVED_AT_ONCE = 40
const SHORTEST_PAUSE_SECONDS = 30
/** A provider that doesn't answer may be back at any moment, and until then the code can be paid. */
const LONGEST_PAUSE_WITHOUT_ANSWER_SECONDS = 60
/** A provider that refuses gives the same answer again, so the question comes ever more seldom. */
const LONGEST_PAUSE_AFTER_REFUSAL_SECONDS = 6 * 3600
const ALARM_AFTER_SECONDS = 900
/** No code lives longer than a day; three days after its end nobody can pay it, whatever the provider calls it. */
const GIVE_UP_AFTER_SECONDS = 3 * 86_400

interface Failure {
  charge: DueRemoval
  /** True when the provider answered that it won't. */
  isRefusal: boolean
}

/**
 * Removes codes at the provider that may not be paid any more. When the payer was faster, the money is booked: a charge
 * is never both removed and paid. Failures are retried at growing pauses, then given up with an alarm; money that
 * arrives later is still found by reconciliation.
 */
export async function removeDueCharges(deps: Deps): Promise<void> {
  for (;;) {
    const now = deps.clock.now()
    const claim = { provider: deps.psp.name, now, limit: REMOVED_AT_ONCE }
    const due = await deps.db.transaction().execute((tx) => claimDueChargeRemovals(tx, claim))
    const results = await Promise.allSettled(due.map(({ txid }) => removeCharge(deps, txid)))
    const failures = results.flatMap((result, index): Failure[] => {
      const charge = due[index]
      if (result.status === "fulfilled" || charge === undefined) return []
      return [{ charge, isRefusal: result.reason instanceof PspError && result.reason.failure === "rejected" }]
    })
    const failed = new Set(failures.map(({ charge }) => charge.id))
    const done = due.flatMap(({ id }) => (failed.has(id) ? [] : [id]))
    const outcomes = { done, ...decideFailures(failures, now) }
    await deps.db.transaction().execute((tx) => saveChargeRemovals(tx, outcomes))
    report(deps.log, failures, outcomes, now)
    if (due.length < REMOVED_AT_ONCE) return
  }
}

async function removeCharge(deps: Deps, txid: string): Promise<void> {
  const state = await deps.psp.removeCharge(txid)
  if (state === "paid") await bookPayments(deps, await deps.psp.findReceiptsOfCharge(txid))
}

const secondsSince = (moment: Date, now: Date) => (now.getTime() - moment.getTime()) / 1000

/** Half of the time since its end, so that a code is asked about some thirty times before it is given up. */
function decideFailures(failures: Failure[], now: Date): Omit<RemovalOutcomes, "done"> {
  // The code of an invoice's whole life ends with that, long before its charge would.
  const endOf = ({ txid, endedAt, expiresAt }: DueRemoval) =>
    endedAt > expiresAt || isDueTxid(txid) ? endedAt : expiresAt
  const isOver = (charge: DueRemoval) => secondsSince(endOf(charge), now) > GIVE_UP_AFTER_SECONDS
  const givenUp = failures.flatMap(({ charge }) => (isOver(charge) ? [charge.id] : []))
  const postponed = failures.flatMap(({ charge, isRefusal }) => {
    if (isOver(charge)) return []
    const longest = isRefusal ? LONGEST_PAUSE_AFTER_REFUSAL_SECONDS : LONGEST_PAUSE_WITHOUT_ANSWER_SECONDS
    const pause = Math.min(Math.max(secondsSince(charge.endedAt, now) / 2, SHORTEST_PAUSE_SECONDS), longest)
    return [{ id: charge.id, until: secondsAfter(now, pause) }]
  })
  return { givenUp, postponed }
}

const namedTxids = 5

function report(log: Logger, failures: Failure[], { givenUp }: RemovalOutcomes, now: Date): void {
  if (failures.length === 0) return
  const old = failures.filter(({ charge }) => secondsSince(charge.endedAt, now) > ALARM_AFTER_SECONDS)
  const facts = { failed: failures.length, givenUp: givenUp.length }
  if (old.length === 0) return log.warn(facts, "codes not removed yet")
  const txids = old.slice(0, namedTxids).map(({ charge }) => charge.txid)
  log.error({ ...facts, alarm: "code_not_removed", txids }, "codes that must not be paid are still at the provider")
}
