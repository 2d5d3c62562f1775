import {
  adjustedDueDay,
  type DueAmount,
  type DueTerms,
  dueAmountOn,
  lastDayOf,
} from "@tilinta/contract/vocabulary/due-amount"
import {
  type InvoiceMode,
  type InvoiceState,
  type InvoiceStatus,
  invoiceStateOn,
} from "@tilinta/contract/vocabulary/invoices"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type Day, daysAfter, saoPauloDay, secondsAfter, startOfDay, type Times } from "#kit/clock"
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

/** A code made late in the evening is still good for whoever is paying it. */
const LEAST_SECONDS = 15 * 60

/** A code asks what its day asks, so it ends with São Paulo's day. */
export function endOfCode({ now, due }: Times): Date {
  const midnight = startOfDay(daysAfter(saoPauloDay(due), 1))
  const secondsLeft = (midnight.getTime() - due.getTime()) / 1000 - 1
  return secondsAfter(now, Math.max(secondsLeft, LEAST_SECONDS))
}
