import {
  createPlanBody,
  createSubscriptionBody,
  type PlanView,
  type SubscriptionView,
  updateSubscriptionBody,
} from "@tilinta/contract/subscriptions"
import { DEFAULT_DAYS_AFTER_DUE } from "@tilinta/contract/vocabulary/invoices"
import {
  type SubscriptionMethod,
  type SubscriptionPeriod,
  usualLeadDays,
} from "@tilinta/contract/vocabulary/subscriptions"
import * as z from "zod/mini"
import {
  discountsBody,
  discountsOf,
  emptyInvoice,
  type InvoiceForm,
  nobody,
  shareBody,
} from "#seller/receivables/invoice-form.ts"

/** The form of a subscription or a plan; customer and lateness are those of an invoice's form. */
export interface SubscriptionForm
  extends Pick<
    InvoiceForm,
    | "customerIds"
    | "isNew"
    | "customer"
    | "amount"
    | "daysAfterDue"
    | "fine"
    | "interest"
    | "discountType"
    | "discounts"
  > {
  title: string
  period: SubscriptionPeriod
  method: SubscriptionMethod
  firstDueDate: string
  end: "never" | "day" | "count"
  endsOn: string
  cycles: string
  /** Empty for the usual ones. */
  leadDays: string
  /** A plan's. */
  description: string
  slug: string
}

export function emptySubscription(...customerIds: string[]): SubscriptionForm {
  const { isNew, customer, amount, daysAfterDue, fine, interest, discountType, discounts } = emptyInvoice()
  return {
    ...{ customerIds, isNew, customer, amount, daysAfterDue, fine, interest, discountType, discounts },
    title: "",
    period: "monthly",
    method: "invoice",
    firstDueDate: "",
    end: "never",
    endsOn: "",
    cycles: "",
    leadDays: "",
    description: "",
    slug: "",
  }
}

export function formOf(known: SubscriptionView | PlanView): SubscriptionForm {
  const endsOn = "endsOn" in known ? (known.endsOn ?? "") : ""
  const ends = known.cycles === null ? "never" : "count"
  return {
    ...emptySubscription(),
    title: known.title,
    amount: known.amount,
    period: known.period,
    method: "method" in known ? known.method : "invoice",
    end: endsOn === "" ? ends : "day",
    endsOn,
    cycles: known.cycles === null ? "" : String(known.cycles),
    leadDays: String(known.leadDays),
    daysAfterDue: String(known.daysAfterDue),
    fine: known.fine ?? { type: "", value: null },
    interest: known.interest ?? { type: "", value: null },
    ...("discounts" in known && discountsOf(known.discounts)),
    description: "description" in known ? known.description : "",
  }
}

const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text))

function sharedOf({ title, amount, fine, interest, ...form }: SubscriptionForm) {
  return {
    title,
    amount: amount ?? 0,
    cycles: form.end === "count" ? numberOf(form.cycles) : null,
    leadDays: form.leadDays.trim() === "" ? usualLeadDays(form.period) : Number(form.leadDays),
    daysAfterDue: form.daysAfterDue.trim() === "" ? DEFAULT_DAYS_AFTER_DUE : Number(form.daysAfterDue),
    fine: shareBody(fine),
    interest: shareBody(interest),
  }
}

const endOf = ({ end, endsOn }: SubscriptionForm) => (end === "day" ? endsOn : null)

function newBodyOf(form: SubscriptionForm): z.input<typeof createSubscriptionBody> {
  return {
    ...(form.isNew ? { customer: form.customer } : { customerId: form.customerIds[0] ?? nobody }),
    ...sharedOf(form),
    // Hidden fields may be filled in: the debited amount is always the authorised one.
    ...(form.method === "automatic" ? { fine: null, interest: null } : { discounts: discountsBody(form) }),
    method: form.method,
    period: form.period,
    firstDueDate: form.firstDueDate,
    endsOn: endOf(form),
  }
}

function changedBodyOf(form: SubscriptionForm): z.input<typeof updateSubscriptionBody> {
  return { ...sharedOf(form), discounts: discountsBody(form), endsOn: endOf(form) }
}

function planBodyOf(form: SubscriptionForm): z.input<typeof createPlanBody> {
  const { period, description, slug } = form
  return { ...sharedOf(form), period, description, slug: slug.trim() === "" ? null : slug }
}

/** Each as its call takes it: the paths of its problems are those of the form. */
export const newSubscription = z.pipe(z.transform(newBodyOf), createSubscriptionBody)
export const changedSubscription = z.pipe(z.transform(changedBodyOf), updateSubscriptionBody)
export const planOfForm = z.pipe(z.transform(planBodyOf), createPlanBody)
