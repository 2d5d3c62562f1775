import {
  adjustedDueDay,
  type DueAmount,
  type DueTerms,
  dayAfter,
  dueAmountOn,
  dueRangeOn,
  lastDayOf,
} from "@tilinta/contract/vocabulary/due-amount"
import type { FeeRule } from "@tilinta/contract/vocabulary/fee"
import {
  type InvoiceMode,
  type InvoiceState,
  type InvoiceStatus,
  invoiceStateOn,
} from "@tilinta/contract/vocabulary/invoices"
import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { type Day, daysAfter, saoPauloDay, secondsAfter, startOfDay, type Times } from "#kit/clock"
import type { PaymentParts, PaymentReceived } from "#psp/psp"
import type { Order } from "#selling/charge-pages/rules"

/** A customer's debt, due by a day. */
export interface Invoice {
  id: string
  sellerId: string
  pageId: string
  /** Shared by those that one call made; null of one alone. */
  seriesId: string | null
  /** The subscription whose cycle it is. */
  subscriptionId: string | null
  /** The page's. */
  uniqueLink: string
  order: Order
  customer: InvoiceCustomer
  mode: InvoiceMode
  terms: DueTerms
  /** Frozen when it is made; it is of what is paid. */
  fee: FeeRule
  /** Days that follow from the terms, kept for lists. */
  adjustedDueDay: Day
  lastDay: Day
  description: string
  status: InvoiceStatus
  revision: number
  /** The seller's words of one that was settled another way. */
  settledFor: string | null
  /** The charge that paid it. */
  chargeId: string | null
  paidAt: Date | null
  paid: PaidParts | null
  /** In mode `bank`, once the bank gave it. */
  pixCode: string | null
  /** Why the bank gave no code for its whole life, and its mode became `daily`. */
  bankRefusal: string | null
  /** By São Paulo's time: from here on its money comes by a debit, and its page makes no code. */
  debitFrom: Date | null
  refundedAt: Date | null
  /** When its payer first had it on a screen. */
  openedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The terms that an invoice had from a moment on. */
export interface Revision {
  revision: number
  terms: DueTerms
  madeAt: Date
}

export interface InvoiceCustomer {
  id: string
  name: string
  document: string | null
  email: string | null
  phone: string | null
}

export interface PaidParts {
  paidCents: Cents
  originalCents: Cents
  discountCents: Cents
  fineCents: Cents
  interestCents: Cents
  /** The difference that an administrator accepted. */
  differenceCents: Cents
  /** The amount that our calculator asks on that day: a bank that computes it may round, or count days, differently. */
  ourCents: Cents
}

export function withTerms(invoice: Invoice, terms: DueTerms): Invoice {
  return { ...invoice, terms, adjustedDueDay: adjustedDueDay(terms), lastDay: lastDayOf(terms) }
}

/** The state that people see. */
export function stateOn(invoice: Invoice, today: Day): InvoiceState {
  const { paidAt, refundedAt } = invoice
  const paidDay = paidAt === null ? null : saoPauloDay(paidAt)
  return invoiceStateOn({ ...invoice, paidDay, isRefunded: refundedAt !== null }, today)
}

/** Today's amount; of an ended one, that of its last day. */
export function amountOn({ terms, lastDay }: Invoice, today: Day): DueAmount & { day: Day } {
  const day = today > lastDay ? lastDay : today
  return { day, ...dueAmountOn(terms, day) }
}

/** A code that is made on this day: its own amount, or the original one where the bank computes that of each day. */
export function codeAmountOn({ mode, terms }: Pick<Invoice, "mode" | "terms">, day: Day): Cents {
  return mode === "bank" ? terms.amountCents : dueAmountOn(terms, day).amount
}

/** Today's amount of a code of a whole life, and the end of the day that has it. */
export function shownToday(terms: DueTerms, times: Times): { amountCents: Cents; expiresAt: Date } {
  return { amountCents: dueAmountOn(terms, saoPauloDay(times.due)).amount, expiresAt: endOfCode(times) }
}

interface Came extends Pick<PaymentReceived, "amountCents" | "paidAt" | "parts"> {}

/** A payment of a code whose amount the bank computes, in parts. */
interface JudgedPayment extends PaymentParts {
  /** The bank's amount less ours. */
  differenceCents: Cents
  /** Our calculator's amount of the day. */
  ourCents: Cents
  computedBy: "us" | "bank"
}

/**
 * Whether the amount that came is one that the bank may have asked by any of these terms: the bank's own parts count when they
 * add up, else the range of our calculator. Null leaves it to a person.
 */
export function judgePayment(
  revisions: readonly DueTerms[],
  { amountCents, paidAt, parts }: Came,
): JudgedPayment | null {
  const paidDay = saoPauloDay(paidAt)
  // A Pix of the last second of a day is booked on the next one.
  const ours = revisions.flatMap((terms) =>
    [paidDay, dayAfter(paidDay, -1)].map((day) => ({ terms, day, amount: dueAmountOn(terms, day) })),
  )
  const distance = ({ amount }: (typeof ours)[number]) => Math.abs(subtractCents(amount.amount, amountCents))
  const [closest] = ours.toSorted((one, other) => distance(one) - distance(other))
  if (closest === undefined) return null
  const ourCents = closest.amount.amount
  if (parts !== undefined && addsUp(parts, amountCents)) {
    const isKnown = revisions.some((terms) => terms.amountCents === parts.originalCents)
    if (isKnown) return { ...parts, differenceCents: noMoney, ourCents, computedBy: "bank" }
  }
  const fits = ours.filter(({ terms, day }) => {
    const { least, most } = dueRangeOn(terms, day)
    return amountCents >= least && amountCents <= most
  })
  const [best] = fits.toSorted((one, other) => distance(one) - distance(other))
  if (best === undefined) return null
  const { amount, abatement, discount, fine, interest } = best.amount
  return {
    originalCents: best.terms.amountCents,
    discountCents: addCents(discount, abatement),
    fineCents: fine,
    interestCents: interest,
    differenceCents: subtractCents(amountCents, amount),
    ourCents: amount,
    computedBy: "us",
  }
}

function addsUp({ originalCents, discountCents, fineCents, interestCents }: PaymentParts, paid: Cents): boolean {
  return addCents(addCents(subtractCents(originalCents, discountCents), fineCents), interestCents) === paid
}

/** A code made late in the evening is still good for whoever is paying it. */
const LEAST_SECONDS = 15 * 60

/** A code asks what its day asks, so it ends with São Paulo's day, or when its debit can't be called off any more. */
export function endOfCode({ now, due }: Times, debitFrom: Date | null = null): Date {
  const midnight = startOfDay(daysAfter(saoPauloDay(due), 1))
  const secondsLeft = (midnight.getTime() - due.getTime()) / 1000 - 1
  const seconds = Math.max(secondsLeft, LEAST_SECONDS)
  const untilDebit = debitFrom === null ? seconds : (debitFrom.getTime() - due.getTime()) / 1000
  return secondsAfter(now, Math.min(seconds, untilDebit))
}

/** A code that ends this soon would be made again each time. */
const LEAST_BEFORE_DEBIT_SECONDS = 5 * 60

/** It is held on the day before, also for another attempt. */
export function debitDayOf({ debitFrom }: Pick<Invoice, "debitFrom">): Day | null {
  return debitFrom === null ? null : daysAfter(saoPauloDay(debitFrom), 1)
}

export function isDebitUnderWay({ debitFrom }: Pick<Invoice, "debitFrom">, due: Date): boolean {
  return debitFrom !== null && debitFrom <= lastDebitUnderWay(due)
}

/** A debit from this moment on, or from an earlier one, is under way. */
export function lastDebitUnderWay(due: Date): Date {
  return secondsAfter(due, LEAST_BEFORE_DEBIT_SECONDS)
}
