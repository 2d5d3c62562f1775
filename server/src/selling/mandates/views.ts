import type { AnyMandateView, AutomaticView, DebitView, MandateView, OwnDebitView } from "@tilinta/contract/mandates"
import { debitFailureOf, isLiveMandate } from "@tilinta/contract/vocabulary/mandates"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Day } from "#kit/clock"
import type { RetryableDebit } from "./debits.ts"
import type { ListedMandate } from "./reads.ts"
import {
  authorisationPath,
  cutOffOf,
  type Debit,
  type Mandate,
  retryDaysOf,
  retrySendingOf,
  settlementDayOf,
} from "./rules.ts"

export function toMandateView(mandate: Mandate, payersUrl: string): MandateView {
  const { status, approvedAt, endedAt } = mandate
  const pixCode = status === "waiting" ? mandate.pixCode : null
  const link = `${payersUrl}${authorisationPath(mandate)}`
  return {
    _id: mandate.id,
    subscriptionId: mandate.subscriptionId,
    status,
    journey: mandate.journey,
    retryPolicy: mandate.retryPolicy,
    amount: reaisFromCents(mandate.amountCents),
    startsOn: mandate.startsOn,
    contract: mandate.contract,
    pixCode,
    qrUrl: pixCode === null ? null : `${link}/qr.svg`,
    link,
    expiresAt: mandate.expiresAt.toISOString(),
    restsFor: isLiveMandate(status) ? mandate.restsFor : null,
    endedCode: mandate.endedCode,
    approvedAt: approvedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    createdAt: mandate.createdAt.toISOString(),
    updatedAt: mandate.updatedAt.toISOString(),
  }
}

const madeOrOpen: readonly string[] = ["requested", "scheduled", "paid"]

export function toDebitView(debit: Debit): DebitView {
  return {
    _id: debit.id,
    mandateId: debit.mandateId,
    invoiceId: debit.invoiceId,
    status: debit.status,
    amount: reaisFromCents(debit.amountCents),
    dueDate: debit.dueDay,
    attempts: debit.attempts.map((attempt) => ({
      ...attempt,
      text: madeOrOpen.includes(attempt.outcome) ? null : debitFailureOf(attempt.code).text,
    })),
    retryDate: debit.retryDay,
    createdAt: debit.createdAt.toISOString(),
    updatedAt: debit.updatedAt.toISOString(),
  }
}

export function toOwnDebitView({ debit, facts }: RetryableDebit): OwnDebitView {
  const isWaiting = debit.status === "failed" && debit.retrySentAt === null
  const until = isWaiting && debit.retryDay !== null ? retrySendingOf(debit.retryDay) : cutOffOf(settlementDayOf(debit))
  const isOpen = debit.endedAt === null && debit.cancelSince === null && debit.retrySentAt === null
  const isInTime = facts.due < until && (debit.status !== "failed" || debit.retryDay !== null)
  return {
    ...toDebitView(debit),
    retryDates: debit.endedAt === null ? retryDaysOf({ ...facts, debit: { ...debit, retryDay: null } }) : [],
    cancellableUntil: isOpen && isInTime ? until.toISOString() : null,
  }
}

interface Automatic {
  mandate: Mandate
  nextDay: Day | null
  firstChargeId: string | null
  lastDebit: Debit | null
  newer: Mandate | null
}

export function toAutomaticView(
  { mandate, nextDay, firstChargeId, lastDebit, newer }: Automatic,
  payersUrl: string,
): AutomaticView {
  return {
    mandate: toMandateView(mandate, payersUrl),
    nextDebitDate: nextDay,
    firstTransactionId: firstChargeId,
    lastDebit: lastDebit && toDebitView(lastDebit),
    newer: newer && toMandateView(newer, payersUrl),
  }
}

export function toAnyMandateView(mandate: ListedMandate, payersUrl: string): AnyMandateView {
  return {
    ...toMandateView(mandate, payersUrl),
    user: { _id: mandate.sellerId, name: mandate.sellerName },
    title: mandate.title,
    idRec: mandate.recurrenceId,
  }
}
