import { debitFailureOf, isLiveMandate } from "@tilinta/contract/vocabulary/mandates"
import type { Db, Tx } from "#db/transaction"
import { daysAfter, saoPauloDay, secondsAfter, type Times, timesOf } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newDebitTxid, newId } from "#kit/ids"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import type { PspDebit } from "#psp/psp"
import { closeOpenCharges } from "#selling/charges/end"
import { holdForDebit, lockInvoices } from "#selling/invoices/change"
import { findInvoices } from "#selling/invoices/reads"
import type { Invoice } from "#selling/invoices/rules"
import { getSubscription } from "#selling/subscriptions/reads"
import { cycleAfter } from "#selling/subscriptions/rules"
import { type Notifying, notifyOfDebit } from "./mails.ts"
import { type CycleToDebit, getDebit, getMandate, getOwnDebit } from "./reads.ts"
import {
  cutOffOf,
  type Debit,
  debitStatusOf,
  failureCodeOf,
  isSendable,
  type Mandate,
  mayDebit,
  nextRetryDay,
  type RetryFacts,
  refusalOfRetry,
  retryDaysOf,
  settlementDayOf,
} from "./rules.ts"
import {
  insertDebitOnce,
  lockMandateRow,
  setDebitAskAt,
  setMandateAskAt,
  updateDebitRow,
  updateMandateRow,
} from "./table.ts"

export interface LockedDebit {
  debit: Debit
  mandate: Mandate
  invoice: Invoice
}

/** Its mandate and the page of its invoice are locked before it, so that a payment by link and a debit wait for each other. */
export async function lockDebit(tx: Tx, id: string): Promise<LockedDebit> {
  const { mandateId, invoiceId } = await getDebit(tx, id)
  await lockMandateRow(tx, mandateId)
  const [invoice] = await lockInvoices(tx, [invoiceId])
  if (invoice === undefined) throw new DomainError("debit_not_found")
  return { debit: await getDebit(tx, id), mandate: await getMandate(tx, mandateId), invoice }
}

/** The debit of a cycle, seven days before it is due; its bank is told by the job. There is one for an invoice, for ever. Returns how many were made. */
export async function createDebit(
  tx: Tx,
  { invoiceId, mandateId, dueDay }: CycleToDebit,
  payersUrl: string,
  times: Times,
): Promise<0 | 1> {
  await lockMandateRow(tx, mandateId)
  const mandate = await getMandate(tx, mandateId)
  const [invoice] = await lockInvoices(tx, [invoiceId])
  if (invoice?.status !== "open" || invoice.mode === "bank") return 0
  const { amountCents } = invoice.terms
  if (invoice.terms.dueDay !== dueDay) return 0
  if (!mayDebit(mandate, { amountCents, dueDay }) || !isSendable(dueDay, times.due)) return 0
  const debit: Debit = {
    id: newId(),
    sellerId: mandate.sellerId,
    mandateId,
    invoiceId,
    provider: mandate.provider,
    txid: newDebitTxid(times.now),
    amountCents,
    dueDay,
    status: "created",
    isSent: false,
    attempts: [],
    endedCode: null,
    cancelSince: null,
    retryDay: null,
    retrySentAt: null,
    endedAt: null,
    createdAt: times.now,
    updatedAt: times.now,
  }
  if (!(await insertDebitOnce(tx, debit, times.now))) return 0
  await holdForDebit(tx, invoiceId, cutOffOf(settlementDayOf(debit)))
  await notifyOfDebit(tx, { debit, mandate, invoice }, "debit_coming", { payersUrl, times })
  return 1
}

/** Until it is known at the bank that nothing is debited, the link shows no code after the cut-off. */
export async function wantDebitCancelled(tx: Tx, locked: LockedDebit, notifying: Notifying): Promise<void> {
  const { debit, invoice } = locked
  const { times } = notifying
  if (debit.endedAt !== null || debit.cancelSince !== null) return
  if (debit.status === "failed" && debit.retrySentAt === null) {
    if (debit.retryDay !== null) return giveUpDebit(tx, locked, debit.status, notifying)
    return endDebit(tx, { debit, invoice }, debit.status, times)
  }
  await updateDebitRow(tx, { ...debit, cancelSince: times.now, updatedAt: times.now })
  await setDebitAskAt(tx, debit.id, times.now)
}

/** Nothing more becomes of it; the link is what is left. */
async function endDebit(
  tx: Tx,
  { debit, invoice }: Pick<LockedDebit, "debit" | "invoice">,
  status: "cancelled" | "failed",
  times: Times,
): Promise<void> {
  if (debit.endedAt !== null) return
  await updateDebitRow(tx, { ...debit, status, retryDay: null, endedAt: times.now, updatedAt: times.now })
  await holdForDebit(tx, invoice.id, null)
  if (status !== debit.status) await appendEvents(tx, `debit.${status}`, [debit.id], times.due)
}

/** It was announced, and won't be: who pays, and whom, hears that the link is left. */
export async function giveUpDebit(
  tx: Tx,
  locked: LockedDebit,
  status: "cancelled" | "failed",
  notifying: Notifying,
): Promise<void> {
  if (locked.debit.endedAt !== null) return
  await endDebit(tx, locked, status, notifying.times)
  if (locked.invoice.status !== "open") return
  await notifyOfDebit(tx, { ...locked, debit: { ...locked.debit, retryDay: null } }, "debit_given_up", notifying)
}

interface Learned {
  found: PspDebit
  payersUrl: string
}

/** Keeps the bank's present word on it; only its money says that it is paid. Returns a failure's code that is a mistake of ours. */
export async function learnOfDebit(
  tx: Tx,
  id: string,
  { found, payersUrl }: Learned,
  times: Times,
): Promise<string | null> {
  const locked = await lockDebit(tx, id)
  const { debit, mandate, invoice } = locked
  if (debit.endedAt !== null) return null
  const attempts = found.attempts.map(({ kind, day, state, code }) => ({ kind, day, outcome: state, code }))
  const status = debitStatusOf(found, debit.dueDay, times.due)
  const known: Debit = { ...debit, isSent: true, attempts, endedCode: found.endedCode, updatedAt: times.now }
  if (status === "paid") {
    await updateDebitRow(tx, known)
    return null
  }
  if (status === "cancelled") {
    await giveUpDebit(tx, { debit: known, mandate, invoice }, "cancelled", { payersUrl, times })
    return null
  }
  if (status !== "failed") {
    await updateDebitRow(tx, { ...known, status })
    if (status === "scheduled" && debit.status !== status) await appendEvents(tx, "debit.scheduled", [id], times.due)
    return null
  }
  if (debit.status === "failed" && attempts.length === debit.attempts.length) {
    await keepFailed(tx, { debit: known, mandate, invoice }, times)
    return null
  }
  return fail(tx, { debit: known, mandate, invoice }, payersUrl, times)
}

async function fail(
  tx: Tx,
  { debit, mandate, invoice }: LockedDebit,
  payersUrl: string,
  times: Times,
): Promise<string | null> {
  const failed: Debit = { ...debit, status: "failed", retryDay: null, retrySentAt: null }
  const facts = await retryFactsOf(tx, { debit: failed, mandate, invoice }, times)
  const isOpen = invoice.status === "open" && debit.cancelSince === null
  const after: Debit = { ...failed, retryDay: isOpen ? nextRetryDay(facts) : null }
  const isOver = !isOpen || retryDaysOf(facts).length === 0
  await updateDebitRow(tx, { ...after, endedAt: isOver ? times.now : null })
  await holdForDebit(tx, invoice.id, null)
  await appendEvents(tx, "debit.failed", [debit.id], times.due)
  await notifyOfDebit(tx, { debit: after, mandate, invoice }, "debit_failed", { payersUrl, times })
  const code = failureCodeOf(after)
  const { next, rests } = debitFailureOf(code)
  if (rests !== undefined && isLiveMandate(mandate.status)) {
    await updateMandateRow(tx, { ...mandate, restsFor: rests, updatedAt: times.now })
  }
  // Perhaps the authorisation itself isn't what we think.
  else if (code === "MSUC" || code === "MIDI") await setMandateAskAt(tx, mandate.id, times.now)
  return next === "alarm" ? code : null
}

/** Waits for its next attempt while one may still be made. */
async function keepFailed(tx: Tx, { debit, mandate, invoice }: LockedDebit, times: Times): Promise<void> {
  const facts = await retryFactsOf(tx, { debit: { ...debit, retryDay: null }, mandate, invoice }, times)
  if (debit.retryDay === null && retryDaysOf(facts).length === 0) {
    return endDebit(tx, { debit, invoice }, "failed", times)
  }
  await updateDebitRow(tx, debit)
}

async function retryFactsOf(db: Db, { debit, mandate, invoice }: LockedDebit, { due }: Times): Promise<RetryFacts> {
  const nextDueDay = cycleAfter(await getSubscription(db, mandate.subscriptionId), debit.dueDay)
  return { debit, policy: mandate.retryPolicy, nextDueDay, lastDay: invoice.lastDay, due }
}

/** From here on the bank may know of the attempt: codes of the link end, as both could be paid. False where it is too late. */
export async function holdForRetry(tx: Tx, id: string, times: Times): Promise<boolean> {
  const { debit, invoice } = await lockDebit(tx, id)
  if (debit.endedAt !== null || debit.retryDay === null || invoice.status !== "open") return false
  if (debit.cancelSince !== null) return false
  await updateDebitRow(tx, { ...debit, retrySentAt: debit.retrySentAt ?? times.now, updatedAt: times.now })
  await holdForDebit(tx, invoice.id, times.due)
  await closeOpenCharges(tx, { pageId: invoice.pageId, now: times.now })
  return true
}

/** The day went by: another one is found where there is one. Whoever was told of the first hears it. */
export async function dropRetry(tx: Tx, id: string, notifying: Notifying): Promise<void> {
  const locked = await lockDebit(tx, id)
  const { debit, invoice } = locked
  const { times } = notifying
  if (debit.endedAt !== null || debit.status !== "failed") return
  const free: Debit = { ...debit, retryDay: null, retrySentAt: null, updatedAt: times.now }
  const day = nextRetryDay(await retryFactsOf(tx, { ...locked, debit: free }, times))
  await holdForDebit(tx, invoice.id, null)
  if (day === null) return giveUpDebit(tx, { ...locked, debit: free }, "failed", notifying)
  const moved: Debit = { ...free, retryDay: day }
  await updateDebitRow(tx, moved)
  if (invoice.status === "open") await notifyOfDebit(tx, { ...locked, debit: moved }, "debit_failed", notifying)
}

interface OwnCall {
  id: string
  /** The seller, or the API key that acts for them. */
  seller: Actor
}

interface Deps {
  db: Db
  clock: Parameters<typeof timesOf>[0]
}

/** Until 21:00 of the day before it is settled. @throws debit_ended, debit_not_found, debit_too_late */
export async function cancelDebit(
  { db, clock, payersUrl }: Deps & { payersUrl: string },
  call: OwnCall,
): Promise<LockedDebit> {
  await db.transaction().execute((tx) => cancelOwn(tx, call, { payersUrl, times: timesOf(clock) }))
  return readDebit(db, call.id)
}

async function cancelOwn(tx: Tx, { id, seller }: OwnCall, notifying: Notifying): Promise<void> {
  const { times } = notifying
  await getOwnDebit(tx, { id, sellerId: seller.id })
  const locked = await lockDebit(tx, id)
  const { debit } = locked
  if (debit.endedAt !== null) throw new DomainError("debit_ended")
  const isWaiting = debit.status === "failed" && debit.retrySentAt === null
  if (!isWaiting && (debit.retrySentAt !== null || times.due >= cutOffOf(settlementDayOf(debit))))
    throw new DomainError("debit_too_late")
  await wantDebitCancelled(tx, locked, notifying)
  await record(tx, seller, "debit.cancelled", debit, times)
}

/** One more attempt on this day, of which the bank is told the day before. @throws debit_not_found, debit_not_retryable */
export async function requestRetry({ db, clock }: Deps, call: OwnCall & { day: string }): Promise<LockedDebit> {
  await db.transaction().execute((tx) => planRetry(tx, call, timesOf(clock)))
  return readDebit(db, call.id)
}

async function planRetry(tx: Tx, { id, seller, day }: OwnCall & { day: string }, times: Times): Promise<void> {
  await getOwnDebit(tx, { id, sellerId: seller.id })
  const locked = await lockDebit(tx, id)
  const { debit, invoice, mandate } = locked
  if (debit.retryDay === day) return
  // One that waits may be moved to another day.
  const free = { ...debit, retryDay: debit.retrySentAt === null ? null : debit.retryDay }
  const facts = await retryFactsOf(tx, { ...locked, debit: free }, times)
  const isPayable = invoice.status === "open" && debit.endedAt === null && isLiveMandate(mandate.status)
  const refusal = isPayable
    ? refusalOfRetry(facts, day)
    : debit.status === "paid"
      ? "Este débito já foi pago."
      : "Este débito terminou. Cobre pelo link."
  if (refusal !== null) {
    throw new DomainError("debit_not_retryable", { message: refusal, errors: [{ path: "date", message: refusal }] })
  }
  await updateDebitRow(tx, { ...debit, retryDay: day, updatedAt: times.now })
  await setDebitAskAt(tx, id, times.now)
  await record(tx, seller, "debit.retried", { ...debit, retryDay: day }, times)
}

async function record(tx: Tx, actor: Actor, action: "debit.cancelled" | "debit.retried", debit: Debit, { now }: Times) {
  const { id, sellerId, invoiceId, amountCents, dueDay, retryDay } = debit
  await recordAudit(tx, {
    actor,
    happenedAt: now,
    action,
    entity: "debit",
    entityId: id,
    before: null,
    after: { sellerId, invoiceId, amountCents, dueDay, ...(action === "debit.retried" && { retryDay }) },
  })
}

async function readDebit(db: Db, id: string): Promise<LockedDebit> {
  const debit = await getDebit(db, id)
  const [mandate, [invoice]] = await Promise.all([getMandate(db, debit.mandateId), findInvoices(db, [debit.invoiceId])])
  if (invoice === undefined) throw new DomainError("debit_not_found")
  return { debit, mandate, invoice }
}

export interface RetryableDebit extends LockedDebit {
  facts: RetryFacts
}

/** With what decides whether it can be tried again. */
export async function retryableOf(db: Db, locked: LockedDebit, times: Times): Promise<RetryableDebit> {
  return { ...locked, facts: await retryFactsOf(db, locked, times) }
}

const ASK_SOON_SECONDS = 600
const ASK_HOURLY_SECONDS = 3600
const SOON_DAYS = 2

/** Often while something may happen, each hour until then. */
export function nextAskOf({ dueDay, isSent, cancelSince }: Debit, { now, due }: Times): Date {
  const isFar = isSent && cancelSince === null && saoPauloDay(due) < daysAfter(dueDay, -SOON_DAYS)
  return secondsAfter(now, isFar ? ASK_HOURLY_SECONDS : ASK_SOON_SECONDS)
}
