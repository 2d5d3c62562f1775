import { businessDayFrom, isBusinessDay } from "@tilinta/contract/vocabulary/due-amount"
import {
  type AttemptKind,
  type AttemptOutcome,
  type DebitStatus,
  debitFailureOf,
  isLiveMandate,
  type MandateJourney,
  type MandateStatus,
  type RestReason,
  type RetryPolicy,
} from "@tilinta/contract/vocabulary/mandates"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type Day, daysAfter, dayText, saoPauloDay, saoPauloHour, secondsAfter, startOfDay } from "#kit/clock"
import type { PspDebit, PspRecurrence } from "#psp/psp"

/** A customer's authorisation that each cycle of a subscription may be debited (Pix Automático). */
export interface Mandate {
  id: string
  sellerId: string
  subscriptionId: string
  /** The subscription's own page. */
  uniqueLink: string
  provider: string
  /** Ours, unique for ever: the bank shows it, and finds the recurrence by it. */
  contract: string
  journey: MandateJourney
  retryPolicy: RetryPolicy
  amountCents: Cents
  startsOn: Day
  /** The code that is paid with the authorisation; null in journey 2. */
  firstTxid: string | null
  /** The bank's; null until it answered. */
  recurrenceId: string | null
  pixCode: string | null
  status: MandateStatus
  endedCode: string | null
  /** When it was to end at the bank, which has not confirmed it. */
  cancelSince: Date | null
  restsFor: RestReason | null
  /** Not payable or to be authorised any more after it. */
  expiresAt: Date
  /** The first search by its contract that found nothing. */
  missedAt: Date | null
  approvedAt: Date | null
  endedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface Attempt {
  kind: AttemptKind
  day: Day
  outcome: AttemptOutcome
  code: string | null
}

/** The debit of one cycle, which pays its invoice. */
export interface Debit {
  id: string
  sellerId: string
  mandateId: string
  invoiceId: string
  provider: string
  txid: string
  amountCents: Cents
  dueDay: Day
  status: DebitStatus
  /** Whether the bank has answered that it knows it. */
  isSent: boolean
  attempts: Attempt[]
  endedCode: string | null
  cancelSince: Date | null
  /** The day of the next attempt that the bank is asked for, or was. */
  retryDay: Day | null
  retrySentAt: Date | null
  endedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A code of the authorisation is good for so long. */
const WAITING_HOURS = 72

export function expiryOfWaiting(now: Date): Date {
  return secondsAfter(now, WAITING_HOURS * 3600)
}

const momentOf = (day: Day, hours: number, minutes = 0) => secondsAfter(startOfDay(day), hours * 3600 + minutes * 60)

/** Banks take a debit 10 to 2 days before it is settled. */
function sendDayOf(settlementDay: Day): Day {
  return daysAfter(settlementDay, -7)
}

/** Later the cycle goes by its link: never a debit on another day than the customer's. */
export function lastSendingOf(dueDay: Day): Date {
  return momentOf(daysAfter(dueDay, -3), 12)
}

export function isSendable(dueDay: Day, due: Date): boolean {
  return saoPauloDay(due) >= sendDayOf(settlementDayOf({ dueDay })) && due < lastSendingOf(dueDay)
}

/** Banks debit on business days; holidays of the customer's city may make it later still. */
export function settlementDayOf({ dueDay }: Pick<Debit, "dueDay">): Day {
  return businessDayFrom(dueDay)
}

/** The bank's own limit is an hour later. From here on no code of the invoice is shown, as both could be paid. */
export function cutOffOf(settlementDay: Day): Date {
  return momentOf(daysAfter(settlementDay, -1), 21)
}

/** The first due day whose debit is settled on this day or later. */
export function firstDueDayOf(settlementDay: Day): Day {
  const before = daysAfter(settlementDay, -1)
  return isBusinessDay(before) ? settlementDay : firstDueDayOf(before)
}

/** The bank tries until nine in the evening; until then 'failed' may still become 'paid'. */
function failureKnownFrom(day: Day): Date {
  return momentOf(day, 21, 30)
}

const MOST_RETRIES = 3
const LAST_RETRY_DAY = 7
const RETRY_FROM_HOUR = 8
const RETRY_UNTIL_HOUR = 20
/** A failure is known in the evening, too late for the next day. */
const DAYS_BETWEEN_RETRIES = 2

export interface RetryFacts {
  debit: Pick<Debit, "dueDay" | "attempts" | "status" | "endedCode" | "retryDay">
  policy: RetryPolicy
  /** The next cycle's. */
  nextDueDay: Day
  /** The last day of the invoice. */
  lastDay: Day
  due: Date
}

const fatalCodes: ReadonlySet<string | null> = new Set([
  ...["AC05", "AM09", "DENC", "DS27", "DTED", "MIDI", "MSUC", "NITX", "RC09"],
])

/** Why no other attempt may be made on this day; null where one may. */
export function refusalOfRetry({ debit, policy, nextDueDay, lastDay, due }: RetryFacts, day: Day): string | null {
  const { dueDay, attempts, status, endedCode, retryDay } = debit
  if (status === "paid") return "Este débito já foi pago."
  if (policy === "none") return "Esta autorização não permite novas tentativas. Cobre pelo link."
  if (status !== "failed") return "Ainda há uma tentativa em andamento."
  if (retryDay !== null) return `Já há uma nova tentativa marcada para ${dayText(retryDay)}.`
  const code = failureCodeOf({ endedCode, attempts })
  if (fatalCodes.has(code) || debitFailureOf(code).next !== "retry") {
    return `${debitFailureOf(code).text} Cobre pelo link.`
  }
  if (retriesOf({ attempts }) >= MOST_RETRIES) {
    return "As 3 novas tentativas já foram feitas. Cobre pelo link."
  }
  const last = daysAfter(dueDay, LAST_RETRY_DAY)
  if (day > last) return `Novas tentativas vão só até ${dayText(last)}, 7 dias depois do vencimento.`
  if (day > lastDay) return `Esta cobrança só pode ser paga até ${dayText(lastDay)}.`
  if (day >= nextDueDay) return `O próximo ciclo vence em ${dayText(nextDueDay)}.`
  const today = saoPauloDay(due)
  if (day <= today) return "Escolha um dia a partir de amanhã."
  if (day === daysAfter(today, 1) && saoPauloHour(due) >= RETRY_UNTIL_HOUR) {
    return "Para amanhã, a nova tentativa precisa ser pedida até as 20h de hoje."
  }
  return null
}

/** The days that a seller may choose. */
export function retryDaysOf(facts: RetryFacts): Day[] {
  const days = Array.from({ length: LAST_RETRY_DAY }, (_, ahead) => daysAfter(facts.debit.dueDay, ahead + 1))
  return days.filter((day) => refusalOfRetry(facts, day) === null)
}

/** The next day that is tried by itself: the first one that can be, but the last attempt is on the last one. */
export function nextRetryDay(facts: RetryFacts): Day | null {
  const days = retryDaysOf(facts)
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined) return null
  const isLast = retriesOf(facts.debit) + 1 >= MOST_RETRIES || daysAfter(first, DAYS_BETWEEN_RETRIES) > last
  return isLast ? last : first
}

function retriesOf({ attempts }: Pick<Debit, "attempts">): number {
  return attempts.filter(({ kind }) => kind === "later_day").length
}

/** From here on the bank may know of it, so that it can't be called off any more. */
export function retrySendingOf(day: Day): Date {
  return momentOf(daysAfter(day, -1), RETRY_FROM_HOUR)
}

/** The day before, by day: the bank wants it before the night. */
export function isRetryToSend(day: Day, due: Date): boolean {
  const hour = saoPauloHour(due)
  return saoPauloDay(due) === daysAfter(day, -1) && hour >= RETRY_FROM_HOUR && hour < RETRY_UNTIL_HOUR
}

export function isRetryMissed(day: Day, due: Date): boolean {
  return due >= momentOf(daysAfter(day, -1), RETRY_UNTIL_HOUR)
}

/** The bank's word on the authorisation, in ours. */
export function mandateStatusOf({ state, ended }: Pick<PspRecurrence, "state" | "ended">): MandateStatus {
  if (state === "created") return "waiting"
  if (state !== "cancelled") return state
  if (ended?.by === "payer") return "cancelled_by_payer"
  return ended?.by === "us" ? "cancelled_by_us" : "cancelled_by_bank"
}

const endedOutcomes: ReadonlySet<AttemptOutcome> = new Set(["rejected", "expired", "cancelled"])

/**
 * The bank's word on the debit, in ours. A day's failure is one only once the bank has stopped trying; a debit that
 * was rejected before its day never had an attempt.
 */
export function debitStatusOf(found: Pick<PspDebit, "state" | "attempts">, dueDay: Day, due: Date): DebitStatus {
  if (found.state === "paid") return "paid"
  const last = found.attempts.at(-1)
  const isStopped = last === undefined || endedOutcomes.has(last.state)
  const day = last?.day ?? settlementDayOf({ dueDay })
  const isKnown = saoPauloDay(due) < day || due >= failureKnownFrom(day)
  if (found.state === "cancelled") return "cancelled"
  if (found.state === "rejected") return "failed"
  if (found.state === "expired" || (last !== undefined && isStopped)) return isKnown ? "failed" : "scheduled"
  return found.state
}

/** The day on which it is still to be debited; null where nothing more comes of it, or nothing is planned. */
export function comingDayOf({ endedAt, cancelSince, status, retryDay, dueDay }: Debit): Day | null {
  if (endedAt !== null || cancelSince !== null) return null
  return status === "failed" ? retryDay : (retryDay ?? dueDay)
}

/** The mandate that debits an invoice of this amount; its own amount never changes. */
export function mayDebit(
  { status, restsFor, cancelSince, amountCents, startsOn }: Mandate,
  invoice: { amountCents: Cents; dueDay: Day },
): boolean {
  return (
    status === "approved" &&
    restsFor === null &&
    cancelSince === null &&
    amountCents === invoice.amountCents &&
    startsOn <= invoice.dueDay
  )
}

export function isPending({ status }: Pick<Mandate, "status">): boolean {
  return isLiveMandate(status) && status !== "approved"
}

export function failureCodeOf({ endedCode, attempts }: Pick<Debit, "endedCode" | "attempts">): string | null {
  return endedCode ?? attempts.at(-1)?.code ?? null
}

export function authorisationPath({ uniqueLink }: Pick<Mandate, "uniqueLink">): string {
  return `/assinatura/${uniqueLink}/autorizar`
}
