import type { CycleView, PlanView, SubscriptionsSummary, SubscriptionView } from "@tilinta/contract/subscriptions"
import { sentTermsOf, warningsOfTerms } from "@tilinta/contract/vocabulary/invoices"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Day } from "#kit/clock"
import { toInvoiceView } from "#selling/invoices/views"
import type { Cycle, sumSubscriptions } from "./reads.ts"
import { type Plan, planPath, type Subscription, subscriptionPath } from "./rules.ts"

export function toSubscriptionView(subscription: Subscription, payersUrl: string): SubscriptionView {
  const { customer, pausedAt, endedAt } = subscription
  const sent = sentTermsOf(subscription.terms)
  const { dueDate, ...terms } = sent
  return {
    _id: subscription.id,
    status: subscription.status,
    title: subscription.title,
    customer: {
      _id: customer.id,
      name: customer.name,
      document: customer.document ?? "",
      email: customer.email ?? "",
      phone: customer.phone ?? "",
    },
    planId: subscription.planId,
    method: subscription.method,
    ...terms,
    period: subscription.period,
    firstDueDate: dueDate,
    endsOn: subscription.endsOn,
    cycles: subscription.cycles,
    leadDays: subscription.leadDays,
    issued: subscription.issued,
    nextDueDate: subscription.nextDueDay,
    link: `${payersUrl}${subscriptionPath(subscription)}`,
    warnings: warningsOfTerms(sent),
    pausedAt: pausedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    createdAt: subscription.createdAt.toISOString(),
    updatedAt: subscription.updatedAt.toISOString(),
  }
}

export function toCycleView(
  { number, dueDay, invoice }: Cycle,
  today: Day,
  payersUrl: string,
): Omit<CycleView, "debit"> {
  return { number, dueDate: dueDay, invoice: toInvoiceView(invoice, today, payersUrl) }
}

export function toSummaryView(sums: Awaited<ReturnType<typeof sumSubscriptions>>): SubscriptionsSummary {
  const { cancelledThisMonth: cancelled, aliveAtStart: atStart } = sums
  const percent = atStart === 0 ? 0 : Math.round((cancelled / atStart) * 1000) / 10
  return {
    mrr: reaisFromCents(sums.monthlyCents),
    active: sums.active,
    pastDue: sums.pastDue,
    overdue: reaisFromCents(sums.overdueCents),
    churn: { cancelled, atStart, percent },
  }
}

export function toPlanView(plan: Plan & { subscriptions: number }, payersUrl: string): PlanView {
  const { amountCents, daysAfterDue, terms } = plan
  const { fine, interest } = sentTermsOf({ ...terms, amountCents, daysAfterDue, dueDay: "" })
  return {
    _id: plan.id,
    status: plan.archivedAt === null ? "active" : "archived",
    title: plan.title,
    description: plan.description,
    slug: plan.slug,
    link: `${payersUrl}${planPath(plan)}`,
    amount: reaisFromCents(amountCents),
    period: plan.period,
    cycles: plan.cycles,
    leadDays: plan.leadDays,
    daysAfterDue,
    fine,
    interest,
    subscriptions: plan.subscriptions,
    createdAt: plan.createdAt.toISOString(),
    updatedAt: plan.updatedAt.toISOString(),
  }
}
