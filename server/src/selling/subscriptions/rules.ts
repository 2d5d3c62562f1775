import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import { dueTermsOf, sentTermsOf, termsDueOn } from "@tilinta/contract/vocabulary/invoices"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import {
  cycleDayOf,
  isLive,
  type SubscriptionMethod,
  type SubscriptionPeriod,
  type SubscriptionStatus,
} from "@tilinta/contract/vocabulary/subscriptions"
import { type Day, daysAfter } from "#kit/clock"
import type { InvoiceCustomer } from "#selling/invoices/rules"

/** A customer pays again each period. */
export interface Subscription {
  id: string
  sellerId: string
  customer: InvoiceCustomer
  planId: string | null
  /** Names the customer's own page. */
  uniqueLink: string
  method: SubscriptionMethod
  title: string
  period: SubscriptionPeriod
  /** The first cycle's. */
  terms: DueTerms
  endsOn: Day | null
  cycles: number | null
  leadDays: number
  /** How many cycles were charged. */
  issued: number
  /** The periods between the first due day and the next cycle. */
  position: number
  /** The next cycle's; null where none comes, and while it is paused. */
  nextDueDay: Day | null
  status: SubscriptionStatus
  createdAt: Date
  pausedAt: Date | null
  endedAt: Date | null
  updatedAt: Date
}

export interface Plan {
  id: string
  sellerId: string
  slug: string
  title: string
  description: string
  amountCents: Cents
  period: SubscriptionPeriod
  cycles: number | null
  leadDays: number
  daysAfterDue: number
  /** Fine and interest. */
  terms: Omit<DueTerms, "amountCents" | "dueDay" | "daysAfterDue">
  createdAt: Date
  updatedAt: Date
  archivedAt: Date | null
}

export function subscriptionPath({ uniqueLink }: Pick<Subscription, "uniqueLink">): string {
  return `/assinatura/${uniqueLink}`
}

export function planPath({ slug }: Pick<Plan, "slug">): string {
  return `/assinar/${slug}`
}

/** At most so many are caught up in one run, so that an outage doesn't bill a customer for months at once. */
export const MOST_AT_ONCE = 3

/** Its next due day, as far as it has one. */
export function withNext(subscription: Subscription, position = subscription.position): Subscription {
  const { period, terms, endsOn, cycles, issued, status } = subscription
  const day = cycleDayOf(period, terms.dueDay, position)
  const isOver = (cycles !== null && issued >= cycles) || (endsOn !== null && day > endsOn)
  const isRunning = isLive(status) && status !== "paused"
  return { ...subscription, position, nextDueDay: isRunning && !isOver ? day : null }
}

/** Leaves out what is due before this day: nobody is charged for it, now or later. */
export function withNextFrom(subscription: Subscription, day: Day): Subscription {
  const { period, terms } = subscription
  let { position } = subscription
  while (cycleDayOf(period, terms.dueDay, position) < day) position += 1
  return withNext(subscription, position)
}

/** Whether or not it is charged yet. */
export function cycleAfter({ period, terms }: Subscription, day: Day): Day {
  let position = 0
  while (cycleDayOf(period, terms.dueDay, position) <= day) position += 1
  return cycleDayOf(period, terms.dueDay, position)
}

export function issueDayOf({ nextDueDay, leadDays }: Subscription): Day | null {
  return nextDueDay === null ? null : daysAfter(nextDueDay, -leadDays)
}

export function isToIssue(subscription: Subscription, today: Day): boolean {
  const day = issueDayOf(subscription)
  return day !== null && day <= today
}

/** One that comes late is due today: nobody pays a fine for a day on which there was nothing to pay. */
export function termsOfNext({ terms, nextDueDay }: Subscription, today: Day): DueTerms {
  const due = nextDueDay === null || nextDueDay < today ? today : nextDueDay
  const sent = termsDueOn(sentTermsOf(terms), due)
  return dueTermsOf({ ...sent, discounts: sent.discounts.filter(({ until }) => until >= today) })
}

/** The customer reads it on the invoice. */
export function descriptionOfNext({ title, cycles, issued }: Subscription): string {
  return cycles === null || cycles === 1 ? title : `${title} (${issued + 1}/${cycles})`
}

export interface OpenInvoices {
  open: number
  overdue: number
}

/** As its invoices say it; a paused one stays paused. */
export function statusBy({ status, nextDueDay }: Subscription, { open, overdue }: OpenInvoices): SubscriptionStatus {
  if (status !== "active" && status !== "past_due") return status
  if (overdue > 0) return "past_due"
  return nextDueDay === null && open === 0 ? "completed" : "active"
}
